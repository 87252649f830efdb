/**
 * The limits of S3 storage. A whole response has no time limit, because a player reads a recording as slowly as it
 * plays.
 */
export const STORAGE_LIMITS = {
  /** Time for a response to begin. */
  answerMs: 60_000,
  /** How long a response may pause once it has begun. */
  silenceMs: 60_000,
  /** How often a request is tried. */
  attempts: 3,
  /** The pause before the second attempt; it doubles with each attempt. */
  pauseMs: 100,
  /** The part of an error response that is logged. */
  complaintCharacters: 300,
}
