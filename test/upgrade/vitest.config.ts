import { defineConfig } from 'vitest/config'

import { TIMEOUTS } from '../setup/timeouts.ts'

export default defineConfig({
  test: {
    include: ['test/upgrade/fill.ts'],
    globalSetup: 'test/harness/global-setup.ts',
    ...TIMEOUTS,
  },
})
