import type { Invariant } from './invariant.ts'

/** A conversation goes on as long as its edge lives, whatever the database says. */
export const soundKept: Invariant = {
  name: 'a conversation goes on while its edge lives',
  isFinal: true,
  check: ({ books: { calls } }) => Promise.resolve({ checked: calls.talked, broken: calls.broken }),
}
