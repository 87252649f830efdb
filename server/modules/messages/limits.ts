export const LIMITS = {
  textCharacters: 10_000,
  recipientCharacters: 64,
  /** Sends and retries of one business number. */
  perMinute: 30,
  rateWindowMs: 60_000,
  /** After the time that the provider has: to write down what it answered. */
  settleGraceMs: 5_000,
}
