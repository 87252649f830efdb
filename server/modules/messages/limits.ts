/** The limits of text messages. */
export const MESSAGE_LIMITS = {
  /** One text. */
  textCharacters: 10_000,
  /** The text sent as a recipient, before it is parsed. */
  recipientCharacters: 64,
  /** An idempotency key. */
  keyCharacters: 128,
  /** Texts and retries of one business number in a window. */
  perMinute: 30,
  /** The window in which they are counted. */
  rateWindowMs: 60_000,
  /** Numbers that could not receive a text, which are remembered. */
  numbersRemembered: 1_000,
  /** Time to store the provider's response, on top of the provider's own timeout. */
  settleGraceMs: 5_000,
}
