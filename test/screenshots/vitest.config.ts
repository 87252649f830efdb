import { defineConfig } from 'vitest/config'

import { TIMEOUTS } from '../setup/timeouts.ts'

export default defineConfig({
  test: {
    include: ['test/screenshots/{screenshots,first-steps}.ts'],
    globalSetup: 'test/harness/global-setup.ts',
    setupFiles: 'test/harness/setup-file.ts',
    ...TIMEOUTS,
  },
})
