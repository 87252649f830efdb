import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{server,bin,test}/**/*.test.ts'],
    globalSetup: 'test/harness/global-setup.ts',
    // Tests wait for states, each with a patience of its own: these only end what hangs, on the slowest machine too.
    testTimeout: 90_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
