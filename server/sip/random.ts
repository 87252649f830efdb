import { randomFillSync, randomInt } from 'node:crypto'

/** Randomness is injected so that tests can control it. */
export interface Random {
  /** An unguessable token. */
  token(): string
  /** From 0 to below 1. */
  fraction(): number
}

const TOKEN_BYTES = 12
const STEPS = 2 ** 32

/** A message needs several tokens, and asking the system for each would cost more than printing the message. */
const pool = Buffer.alloc(TOKEN_BYTES * 256)
let used = pool.length

function nextToken(): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += TOKEN_BYTES
  return pool.toString('hex', used - TOKEN_BYTES, used)
}

export const systemRandom: Random = {
  token: nextToken,
  fraction: () => randomInt(STEPS) / STEPS,
}
