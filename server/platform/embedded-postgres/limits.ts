/** The limits of the PostgreSQL that we start ourselves. */
export const EMBEDDED_POSTGRES_LIMITS = {
  /** Time to start. Crash recovery takes its time, and giving up on it would only mean to begin again. */
  startMs: 600_000,
  /** A server that calls itself ready and does not answer for so long cannot be reached. */
  answerMs: 5_000,
  /** How often it is launched before we give up. */
  launchesMax: 5,
  /** The pause before the second launch; it doubles from there. */
  relaunchMs: 200,
  /** A server whose last holder has just gone begins to stop within this time. */
  farewellMs: 500,
  /** Time for a fast shutdown, before an immediate one. */
  stopMs: 10_000,
  /** Time for an immediate shutdown. */
  quitMs: 10_000,
  /** How often a holder looks whether PostgreSQL is still there. */
  checkMs: 500,
  /** A holder that cannot bring it back tries again at ever longer intervals, up to this one. */
  retryMsMax: 30_000,
  /** How often is looked while it starts or stops. */
  pollMs: 20,
  /** PostgreSQL fills its lock file at once: one that has been empty for so long is a remnant. */
  emptyLockMs: 5_000,
  /** Its log file: a larger one is put aside at the next start. */
  logBytesMax: 10_000_000,
}
