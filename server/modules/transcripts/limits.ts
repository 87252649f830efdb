/** The limits of transcription. */
export const TRANSCRIPT_LIMITS = {
  /** The lease on a recording: after a worker dies, another takes over when it expires. */
  claimMs: 20_000,
  /** How often a worker renews its lease. */
  renewMs: 5_000,
  /** How often a worker looks for recordings that it was not notified of. */
  pollMs: 5_000,
}
