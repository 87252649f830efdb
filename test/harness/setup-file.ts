import { setFlagsFromString } from 'node:v8'

import { afterAll } from 'vitest'

import { closeAll } from './after-file.ts'

// Vitest runs this before each file, even in a process that keeps its modules between files.
afterAll(closeAll)

// The heap of this process has its size from vitest.config.ts by now. Threads of the built program start with code
// that was compiled with the default flags, and V8 rejects it under any others.
for (const flag of ['--min-semi-space-size=0', '--max-semi-space-size=0']) setFlagsFromString(flag)
