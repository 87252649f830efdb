import type { Invariant } from './invariant.ts'

/** A conversation continues as long as its edge runs, whatever happens to the database. */
export const soundKept: Invariant = {
  name: 'a conversation goes on while its edge lives',
  isFinal: true,
  check: ({ books: { calls } }) => Promise.resolve({ checked: calls.talked, broken: calls.broken }),
}
