import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{server,bin,test}/**/*.test.ts'],
    globalSetup: 'test/harness/global-setup.ts',
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
})
