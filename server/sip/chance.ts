import { randomBytes, randomInt } from 'node:crypto'

/** Chance is passed in, so that a test can decide it. */
export interface Chance {
  /** A word that nobody can guess. */
  token(): string
  /** From 0 to below 1. */
  fraction(): number
}

const TOKEN_BYTES = 12
const STEPS = 2 ** 32

export const systemChance: Chance = {
  token: () => randomBytes(TOKEN_BYTES).toString('hex'),
  fraction: () => randomInt(STEPS) / STEPS,
}
