/** The limits of SMS providers. */
export const SMS_PROVIDER_LIMITS = {
  /** Time to connect. */
  connectMs: 10_000,
  /** One response. */
  answerBytes: 65_536,
  /** Connections to a provider. */
  connections: 50,
  /** An older callback is rejected, to prevent replay attacks. */
  callbackAgeMs: 5 * 60 * 1000,
  /** The delay before the simulated provider reports a text as delivered. */
  simulatedReportMs: 500,
  /** Time for the callback of the simulated provider. */
  simulatedCallbackMs: 10_000,
}
