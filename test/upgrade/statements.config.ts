import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'server/{api,modules,telephony,platform/jobs}/**/*.test.ts',
      'test/*.test.ts',
      'test/live-calls/*.test.ts',
    ],
    globalSetup: 'test/upgrade/record-statements.ts',
    setupFiles: 'test/harness/setup-file.ts',
    maxWorkers: 1,
    testTimeout: 180_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
