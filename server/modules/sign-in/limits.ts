const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const DAY_MS = 24 * 60 * MINUTE_MS

/** The limits of signing in. */
export const SIGN_IN_LIMITS = {
  /** A session ends after this long without use. */
  sessionIdleMs: 7 * DAY_MS,
  /** A session ends after this long, even if it is used. */
  sessionMs: 30 * DAY_MS,
  /** Time to enter the code after the password. */
  secondFactorMs: 10 * MINUTE_MS,
  /** How often the use of a session is stored. */
  sessionSeenMs: MINUTE_MS,
  /** How long a browser is remembered; browsers keep no cookie for longer. */
  knownBrowserMs: 400 * DAY_MS,
  /** How long a password reset link is valid. */
  passwordResetMs: 60 * MINUTE_MS,
  /** A code is accepted this long before and after its time, because the clocks of phones are inexact. */
  codeToleranceSeconds: 30,
  /** Recovery codes that an employee gets. */
  recoveryCodes: 10,
  /** The part of a browser's User-Agent that is stored. */
  userAgentCharacters: 256,
  /** The path to return to after signing in. */
  returnPathCharacters: 4_096,
  /** The wait after the free attempts of a rate limit; it doubles with each attempt. */
  firstWaitMs: SECOND_MS,
  /** Attempts are no longer counted after this long without another. */
  attemptsKeptMs: DAY_MS,
}

/** How many attempts are free, and the longest wait between attempts after that. */
export interface AttemptRateLimit {
  free: number
  slowestMs: number
}

/** How many attempts are free before each one must wait, and the longest wait. */
export const ATTEMPT_RATE_LIMITS = {
  /** Passwords from one address. */
  passwordPerAddress: { free: 20, slowestMs: MINUTE_MS },
  /** Passwords for one account, from unknown browsers. */
  passwordPerAccount: { free: 5, slowestMs: MINUTE_MS },
  /** Passwords for one account, from one known browser. */
  passwordPerKnownBrowser: { free: 5, slowestMs: 15 * MINUTE_MS },
  /** Codes of one employee. Only somebody who knows the password can try codes, so nobody else can cause a wait. */
  codePerEmployee: { free: 5, slowestMs: 15 * MINUTE_MS },
  /** Password resets requested from one address. */
  resetPerAddress: { free: 10, slowestMs: 15 * MINUTE_MS },
  /** Password resets requested for one account. */
  resetPerAccount: { free: 3, slowestMs: 15 * MINUTE_MS },
} satisfies Record<string, AttemptRateLimit>
