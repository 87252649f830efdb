/** The limits of live calls, with their units. */
export const LIMITS = {
  transferRingMs: 30_000,
  /** A phone that asks for a transfer is told by then whether there will be one. */
  phoneTransferMs: 5_000,
  /** A phone that hangs up so soon after it was told that its transfer failed is rung again. */
  transferFailedMs: 2_000,
  /** Who declined, or could not be reached, is left alone by the same caller for so long. */
  declinedMs: 30_000,
  /** A phone that rings for so long without a word is given up and rung anew (RFC 3261 §16.6, Timer C). */
  ringAnewMs: 180_000,
  menuPrompts: 3,
  /** After a prompt, for a key. */
  menuPatienceMs: 5_000,
  voicemailMaxMs: 5 * 60_000,
  /** Ends a voicemail. */
  voicemailSilenceMs: 8_000,
  /** Shorter is no voicemail: somebody hung up at the beep. */
  voicemailMinMs: 1_000,
  recordingMaxMs: 4 * 60 * 60_000,
  /** A greeting that is still being made is waited for so long, and left out then. */
  promptWaitMs: 10_000,
  promptLookMs: 250,
  /** What the database refuses is tried again after this, then after twice as long, up to the longest pause. */
  storeRetryMs: 500,
  storeRetryMaxMs: 2_000,
  /** The end of a call, which must be written, is tried again after this also when it will hardly ever be taken. */
  storeAgainMs: 10_000,
  /** An outgoing call rings so long. */
  outboundRingMs: 120_000,
  /** The ends of calls are written when an edge stops, if the database lets them. */
  stopMs: 10_000,
  /** Then its last commands are waited for so long, and so long the database, which is to forget the edge. */
  leaveMs: 5_000,
  /** How often is looked for what dead edges have left, and what could not be kept is tried again. */
  rescueEveryMs: 5_000,
  /** An unknown edge of another machine, on a folder that is shared, has died when it wrote nothing for so long. */
  strangersQuietMs: 10 * 60_000,
  callsMax: 2_000,
}
