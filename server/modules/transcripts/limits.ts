/** The limits of transcription. */
export const TRANSCRIPT_LIMITS = {
  /** What a worker that died was transcribing is free again after so long. */
  claimMs: 20_000,
  /** How often a worker renews its claim. */
  renewMs: 5_000,
  /** How often a worker looks for recordings that it was not notified of. */
  pollMs: 5_000,
}
