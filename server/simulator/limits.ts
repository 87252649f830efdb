/** The limits of the simulated carrier. */
export const SIMULATOR_LIMITS = {
  /** How long it rings before it answers. */
  ringMs: 2_000,
  /** How long a call lasts before it hangs up. */
  callMs: 60_000,
  /** Concurrent calls that it answers. */
  callsMax: 100,
}
