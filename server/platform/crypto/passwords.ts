import { lazyAsync } from '../async/lazy.ts'
import { takeTurns } from '../async/take-turns.ts'
import { AppError } from '../errors.ts'
import { PLATFORM_LIMITS } from '../limits.ts'
import { argon } from './argon.ts'
import { randomToken } from './crypto.ts'

/** Argon2id with the cost OWASP recommends (19 MiB, two passes); computed off the main thread. */
const argon2id = (password: string) =>
  argon().hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => argon2id(password))
}

/** Takes equally long for right and wrong passwords. */
export function verifyPassword(hashed: string, password: string): Promise<boolean> {
  return inTurn(() => argon().verify(hashed, password))
}

/** A hash that no password matches, for unknown users, so that the check takes equally long. */
export const dummyHash = lazyAsync(() => argon2id(randomToken()))

const tooMany = new AppError({
  status: 503,
  code: 'busy',
  message: 'Too many people are signing in right now. Try again in a moment.',
  headers: { 'retry-after': '2' },
})

const inTurn = takeTurns({
  atOnce: PLATFORM_LIMITS.passwordsAtOnce,
  waiting: PLATFORM_LIMITS.passwordsWaiting,
  tooMany,
})
