/** The limits of SMS providers. */
export const SMS_PROVIDER_LIMITS = {
  /** Time to connect. */
  connectMs: 10_000,
  /** One answer. */
  answerBytes: 65_536,
  /** Connections to a provider. */
  connections: 50,
  /** An older callback is refused, so that none can be replayed. */
  callbackAgeMs: 5 * 60 * 1000,
  /** When the simulated provider reports that a text was delivered. */
  simulatedReportMs: 500,
  /** Time for the callback of the simulated provider. */
  simulatedCallbackMs: 10_000,
}
