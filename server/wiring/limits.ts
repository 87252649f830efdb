/** The limits of starting a process. */
export const WIRING_LIMITS = {
  /** Random bytes of a new secret or encryption key. */
  keyBytes: 48,
  /** A shorter secret in a file was not written completely. */
  secretCharactersMin: 32,
  /** Time for an endpoint to summarise a call. */
  summaryAnswerMs: 60_000,
}
