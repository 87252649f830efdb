/** The limits of the roles of a process. */
export const ROLE_LIMITS = {
  /**
   * How long a stopping API waits for clients to read their responses: a stalled client must not keep the process
   * alive.
   */
  drainMs: 30_000,
  /** How long a request waits for an edge. */
  edgeMs: 5_000,
  /** For how long after its latest request, delivery or call a company that uses little counts as there. */
  companyPresentMs: 2_000,
  /** Concurrent calls that `bellhop serve` simulates. */
  simulatedCallsMax: 5,
  /** The length of a simulated call. */
  simulatedCallMs: 60_000,
}
