/** The limits of the command line. */
export const LIMITS = {
  /**
   * A second signal within this time is the same Ctrl-C: under npm a process gets it from the terminal and again from
   * npm.
   */
  repeatedSignalMs: 500,
  /** A process that is still stopping this long after the deadline of its calls is stuck, and exits. */
  stuckMs: 60_000,
  /** How long a command waits for the answer of each running edge. */
  edgeAnswerMs: 10_000,
  /** The calls that `bellhop call list` shows. */
  liveCallsListed: 2_000,
  /** The largest `--batch` of `bellhop messages reencrypt`: rows that one transaction rewrites. */
  batchRowsMax: 10_000,
  /** The largest number of companies, employees, calls, texts or days that `bellhop size` takes. */
  sizedCountMax: 1_000_000_000,
}
