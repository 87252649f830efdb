import { hash, verify } from '@node-rs/argon2'

import { randomToken } from './crypto.ts'

/** Argon2id with the cost OWASP recommends (19 MiB, two passes); computed off the main thread. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
}

/** Takes as long for a wrong password as for the right one. */
export function verifyPassword(hashed: string, password: string): Promise<boolean> {
  return verify(hashed, password)
}

let decoy: Promise<string> | undefined

/** A hash that no password matches, for where there is none: looking takes the same time. */
export const decoyHash = () => (decoy ??= hashPassword(randomToken()))
