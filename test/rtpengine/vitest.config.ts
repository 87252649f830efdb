import { defineConfig } from 'vitest/config'

const shared = {
  globalSetup: 'test/harness/global-setup.ts',
  setupFiles: 'test/harness/setup-file.ts',
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
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
