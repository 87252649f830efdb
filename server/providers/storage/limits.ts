/**
 * The limits of an S3 storage. The whole of an answer has no limit: who plays a recording reads it as slowly as it
 * sounds.
 */
export const STORAGE_LIMITS = {
  /** Time for an answer to begin. */
  answerMs: 60_000,
  /** Time for the next bytes of one that has begun. */
  silenceMs: 60_000,
  /** How often a request is tried. */
  attempts: 3,
  /** The pause before the second attempt; it doubles from there. */
  pauseMs: 100,
  /** What is logged of an answer that refuses. */
  complaintCharacters: 300,
}
