import { defineConfig } from 'vitest/config'

/** They wait for answers of PostgreSQL, HTTP and the command line: beside another one they only take longer. */
const RECORDS = [
  'server/{api,embeddings,modules,providers,speech}/**/*.test.ts',
  'bin/*.test.ts',
  'test/!(streaming).test.ts',
]

const patience = {
  // Tests wait for states, each with a patience of its own: these only end what hangs, on the slowest machine too.
  testTimeout: 90_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
}

export default defineConfig({
  test: {
    globalSetup: 'test/harness/global-setup.ts',
    projects: [
      {
        test: {
          ...patience,
          name: 'records',
          include: RECORDS,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // Sound, browsers, killed processes: each file has the machine to itself.
        test: {
          ...patience,
          name: 'alone',
          include: ['{server,bin,test}/**/*.test.ts'],
          exclude: RECORDS,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
