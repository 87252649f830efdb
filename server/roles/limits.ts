/** The limits of the roles of a process. */
export const ROLE_LIMITS = {
  /**
   * How long a stopping API waits for its answers to be read: a reader who has stopped reading must not keep the
   * process alive.
   */
  drainMs: 30_000,
  /** How long a request waits for the answer of an edge. */
  edgeMs: 5_000,
  /** Calls that `bellhop serve` simulates at once. */
  simulatedCallsMax: 5,
  /** The length of such a call. */
  simulatedCallMs: 60_000,
}
