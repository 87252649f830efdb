const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const DAY_MS = 24 * 60 * MINUTE_MS

export const LIMITS = {
  /** A session ends when it was not used for so long. */
  sessionIdleMs: 7 * DAY_MS,
  /** A session ends however much it is used. */
  sessionMs: 30 * DAY_MS,
  /** How long the code may be waited for after the password. */
  secondFactorMs: 10 * MINUTE_MS,
  /** A use of a session is noted no more often. */
  sessionSeenMs: MINUTE_MS,
  userAgentCharacters: 256,
  returnPathCharacters: 4_096,
}
