/** The limits of the command line. */
export const LIMITS = {
  /**
   * A second signal that follows so soon is the same Ctrl-C: under npm it arrives from the terminal and again from
   * npm.
   */
  repeatedSignalMs: 500,
  /** How long a process that is stopping may hang beyond the time that calls have; then it exits. */
  stuckMs: 60_000,
  /** The largest `--batch` of `bellhop messages reencrypt`: rows that one transaction rewrites. */
  batchRowsMax: 10_000,
}
