import { AppError } from '../errors.ts'
import { lazyAsync } from '../lazy.ts'
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

let running = 0
const waiting: (() => void)[] = []

/** A finished hash starts the next one in the queue. */
async function inTurn<T>(compute: () => Promise<T>): Promise<T> {
  if (running < PLATFORM_LIMITS.passwordsAtOnce) running++
  else if (waiting.length < PLATFORM_LIMITS.passwordsWaiting)
    await new Promise<void>((resolve) => waiting.push(resolve))
  else throw tooMany
  try {
    return await compute()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}
