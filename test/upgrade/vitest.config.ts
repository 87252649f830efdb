import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/upgrade/fill.ts'],
    globalSetup: 'test/harness/global-setup.ts',
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
})
