/** The limits of API keys. */
export const API_KEY_LIMITS = {
  /**
   * How long a key is remembered: a revoked one must be dead on every process within a second, also when the
   * announcement of the database is lost.
   */
  rememberMs: 800,
  /** Keys that a process remembers. */
  keys: 10_000,
  /** How exactly the last use of a key is known: noting each would be a write for every read. */
  lastUseMs: 60_000,
}
