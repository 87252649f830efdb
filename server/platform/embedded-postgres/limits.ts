/** The limits of the embedded PostgreSQL. */
export const EMBEDDED_POSTGRES_LIMITS = {
  /** Time to start. Crash recovery can be slow, and giving up would only make it start over. */
  startMs: 600_000,
  /** A server that reports ready but does not answer for this long counts as unreachable. */
  answerMs: 5_000,
  /** How often it is launched before we give up. */
  launchesMax: 5,
  /** The pause before the second launch; it doubles with each launch. */
  relaunchMs: 200,
  /** A server starts to shut down within this time after its last holder has exited. */
  shutdownDelayMs: 500,
  /** Time for a fast shutdown, before an immediate one. */
  stopMs: 10_000,
  /** Time for an immediate shutdown. */
  quitMs: 10_000,
  /** How often a holder checks that PostgreSQL is running. */
  checkMs: 500,
  /** The longest pause before a holder tries again to restart it; the pauses grow up to this. */
  retryMsMax: 30_000,
  /** How often its state is checked while it starts or stops. */
  pollMs: 20,
  /** A lock file that has been empty for this long is stale: PostgreSQL fills it at once. */
  emptyLockMs: 5_000,
  /** Its log file: a larger one is rotated at the next start. */
  logBytesMax: 10_000_000,
}
