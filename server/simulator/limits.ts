/** The limits of the simulated carrier. */
export const SIMULATOR_LIMITS = {
  /** How long it rings before it answers. */
  ringMs: 2_000,
  /** When it hangs up. */
  callMs: 60_000,
  /** Calls that it answers at once. */
  callsMax: 100,
}
