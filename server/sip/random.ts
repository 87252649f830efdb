import { randomBytes, randomInt } from 'node:crypto'

/** Randomness is injected so that tests can control it. */
export interface Random {
  /** An unguessable token. */
  token(): string
  /** From 0 to below 1. */
  fraction(): number
}

const TOKEN_BYTES = 12
const STEPS = 2 ** 32

export const systemRandom: Random = {
  token: () => randomBytes(TOKEN_BYTES).toString('hex'),
  fraction: () => randomInt(STEPS) / STEPS,
}
