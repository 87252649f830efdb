/** The limits of live calls. */
export const TELEPHONY_LIMITS = {
  /** How long a transfer rings. */
  transferRingMs: 30_000,
  /** A phone that asks for a transfer is told by then whether there will be one. */
  phoneTransferMs: 5_000,
  /** A phone that hangs up so soon after it was told that its transfer failed is rung again. */
  transferFailedMs: 2_000,
  /** Who declined, or could not be reached, is left alone by the same caller for so long. */
  declinedMs: 30_000,
  /** A phone that rings for so long without a word is given up and rung anew (RFC 3261 §16.6, Timer C). */
  ringAnewMs: 180_000,
  /** How often the prompt of a menu is played. */
  menuPrompts: 3,
  /** How long a key is waited for after a prompt. */
  menuPatienceMs: 5_000,
  /** The longest voicemail. */
  voicemailMaxMs: 5 * 60_000,
  /** Silence that ends a voicemail. */
  voicemailSilenceMs: 8_000,
  /** Shorter is no voicemail: somebody hung up at the beep. */
  voicemailMinMs: 1_000,
  /** The longest recording. */
  recordingMaxMs: 4 * 60 * 60_000,
  /** A greeting that is still being synthesised is waited for so long, and left out then. */
  promptWaitMs: 10_000,
  /** How often is looked for it. */
  promptLookMs: 250,
  /** What the database refuses is tried again after this, then after twice as long. */
  storeRetryMs: 500,
  /** The longest such pause. */
  storeRetryMaxMs: 2_000,
  /** The end of a call, which must be written, is tried again after this also when it will hardly ever be taken. */
  storeAgainMs: 10_000,
  /** How long an outgoing call rings. */
  outboundRingMs: 120_000,
  /** How long a stopping edge waits for the ends of its calls to be written. */
  stopMs: 10_000,
  /** How long it then waits for its last commands, and for the database, which is to forget the edge. */
  leaveMs: 5_000,
  /**
   * How often is looked for recordings that dead edges have left, and storing what could not be stored is tried
   * again.
   */
  rescueEveryMs: 5_000,
  /** An unknown edge of another machine, on a folder that is shared, has died when it wrote nothing for so long. */
  strangersQuietMs: 10 * 60_000,
  /** How often is looked for edges that have died. */
  reapEveryMs: 2_000,
  /** Calls of one edge. */
  callsMax: 2_000,
}
