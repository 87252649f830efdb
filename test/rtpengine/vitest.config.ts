import { defineConfig } from 'vitest/config'

import { TIMEOUTS } from '../setup/timeouts.ts'

const shared = {
  ...TIMEOUTS,
  globalSetup: 'test/harness/global-setup.ts',
  setupFiles: 'test/harness/setup-file.ts',
}

/** `npm run rtpengine`: what takes too long for `npm test`. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...shared,
          name: 'plane',
          include: ['test/rtpengine/{chromium,direct-calls,lost-instances,no-instance-left}.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'calls',
          include: ['test/{calls,live-calls,softphone}/**/*.test.ts'],
          globalSetup: [shared.globalSetup, 'test/rtpengine/start-rtpengine.ts'],
        },
      },
    ],
  },
})
