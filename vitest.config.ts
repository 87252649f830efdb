import { availableParallelism } from 'node:os'

import { defineConfig } from 'vitest/config'

import { folderInMemory } from './test/setup/folder-in-memory.ts'
import { LongestFirst } from './test/setup/longest-first.ts'
import { ALL, INTEGRATION, UNIT } from './test/setup/test-files.ts'
import { TIMEOUTS } from './test/setup/timeouts.ts'

const shared = { ...TIMEOUTS, setupFiles: 'test/harness/setup-file.ts' }

const workers = {
  // Files share a worker and its loaded modules, which take longer to load than most files to run.
  isolate: false,
  // Tests that wait for phones, browsers and other processes leave cores idle.
  maxWorkers: Math.ceil(availableParallelism() * 2.5),
  // With more room for new objects, V8 collects garbage less often. test/harness/setup-file.ts resets the flags.
  execArgv: ['--min-semi-space-size=16', '--max-semi-space-size=64'],
}

// os.tmpdir() reads it, here and in the workers.
const memory = process.env.TMPDIR ? undefined : folderInMemory()
if (memory) process.env.TMPDIR = memory

/** Set by `npm run test:fast`. */
const { FAST } = process.env

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // Otherwise each project transforms the same modules again, in each run.
    experimental: { fsModuleCache: true },
    projects: [
      {
        test: {
          ...shared,
          ...workers,
          name: 'unit',
          include: UNIT,
        },
      },
      {
        test: {
          ...shared,
          ...workers,
          name: 'service',
          globalSetup: 'test/harness/global-setup.ts',
          include: ALL,
          exclude: FAST ? [...UNIT, ...INTEGRATION] : UNIT,
        },
      },
    ],
  },
})
