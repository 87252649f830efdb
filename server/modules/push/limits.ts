/** The limits of Web Push. */
export const PUSH_LIMITS = {
  /** The browsers of an employee that are rung; subscribing another one ends the oldest. */
  browsersPerEmployee: 10,
  /** The address at which a push service takes messages for a browser. */
  endpointCharacters: 2_000,
  /** A waiting call that is older than this is not announced any more, and push services discard the message. */
  freshSeconds: 30,
  /** How long push services keep the message that a call no longer waits, for a browser that is away. */
  leftSeconds: 10 * 60,
  /** Time to connect to a push service. */
  connectMs: 5_000,
  /** Time for a push service to respond. */
  answerMs: 10_000,
  /** How much of a response is read, so that its connection can be reused. */
  answerBytes: 16_384,
  /** Concurrent messages to one push service. */
  connectionsPerHost: 8,
  /** How long the signed statement who we are is valid: at most a day (RFC 8292 §2). */
  authorizationMs: 12 * 60 * 60_000,
}
