import { afterAll } from 'vitest'

import { closeAll } from './after-file.ts'

// Vitest runs this before each file, also in a process that keeps its modules from one file to the next.
afterAll(closeAll)
