/** The limits of API keys. */
export const API_KEY_LIMITS = {
  /**
   * How long a key is cached: a revoked key must stop working in every process within a second, even if the
   * notification from the database is lost.
   */
  rememberMs: 800,
  /** Keys that a process caches. */
  keys: 10_000,
  /** The precision of a key's last use: storing every use would mean a write for every read. */
  lastUseMs: 60_000,
}
