import { afterAll } from 'vitest'

import { closeAll } from './after-file.ts'

// Vitest runs this before each file, even in a process that keeps its modules between files.
afterAll(closeAll)
