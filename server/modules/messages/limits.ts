/** The limits of text messages. */
export const MESSAGE_LIMITS = {
  /** One text. */
  textCharacters: 10_000,
  /** What may be sent as a recipient, before that is read as a number. */
  recipientCharacters: 64,
  /** An idempotency key. */
  keyCharacters: 128,
  /** Sends and retries of one business number in a window. */
  perMinute: 30,
  /** The window in which they are counted. */
  rateWindowMs: 60_000,
  /** Time to write down the answer of the provider, after the time that the provider has. */
  settleGraceMs: 5_000,
}
