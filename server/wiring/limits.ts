/** The limits of what a process is made of. */
export const WIRING_LIMITS = {
  /** The random bytes of a secret or an encryption key that is created. */
  keyBytes: 48,
  /** A kept secret that is shorter was not written whole. */
  secretCharactersMin: 32,
  /** Time for an endpoint to summarise a call. */
  summaryAnswerMs: 60_000,
}
