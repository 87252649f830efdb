import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/screenshots/{screenshots,first-steps}.ts'],
    globalSetup: 'test/harness/global-setup.ts',
    setupFiles: 'test/harness/setup-file.ts',
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
})
