import { defineConfig } from 'vitest/config'

import { TIMEOUTS } from '../setup/timeouts.ts'

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
    ...TIMEOUTS,
  },
})
