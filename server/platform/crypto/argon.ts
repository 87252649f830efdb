import { createRequire } from 'node:module'

import type * as Argon from '@node-rs/argon2'

import { lazy } from '../async/lazy.ts'
import { OperatorError } from '../errors.ts'

const require = createRequire(import.meta.url)

/** The package with the program for this platform, which that of Argon2 names as optional. */
export const argonProgram = (): string =>
  `@node-rs/argon2-${process.platform}-${process.arch}${process.platform === 'linux' ? '-gnu' : ''}`

/** `npm install --omit=optional` leaves out the program; one that was added later lies beside ours, not beside Argon2's. */
export const argon = lazy((): Pick<typeof Argon, 'hash' | 'verify'> => {
  for (const name of ['@node-rs/argon2', argonProgram()]) {
    try {
      return require(name) as typeof Argon
    } catch {
      // The next one, or the error below.
    }
  }
  throw new OperatorError(
    'Passwords cannot be hashed, because npm left out a package: run `bellhop engines add passwords`.',
  )
})
