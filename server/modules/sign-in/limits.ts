const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const DAY_MS = 24 * 60 * MINUTE_MS

/** The limits of signing in. */
export const SIGN_IN_LIMITS = {
  /** A session ends when it was not used for so long. */
  sessionIdleMs: 7 * DAY_MS,
  /** A session ends however much it is used. */
  sessionMs: 30 * DAY_MS,
  /** How long the code is waited for after the password. */
  secondFactorMs: 10 * MINUTE_MS,
  /** A use of a session is noted no more often. */
  sessionSeenMs: MINUTE_MS,
  /** How long a browser is known; browsers keep no cookie for longer. */
  knownBrowserMs: 400 * DAY_MS,
  /** How long the link of a password reset works. */
  passwordResetMs: 60 * MINUTE_MS,
  /** Clocks of phones go wrong: a code counts this much before and after its time. */
  codeToleranceSeconds: 30,
  /** Recovery codes that an employee gets. */
  recoveryCodes: 10,
  /** What is kept of the name that a browser gives itself. */
  userAgentCharacters: 256,
  /** The path that signing in leads back to. */
  returnPathCharacters: 4_096,
  /** The wait after the free attempts of a pace; it doubles from there. */
  firstWaitMs: SECOND_MS,
  /** Attempts are forgotten when there was none for so long. */
  attemptsKeptMs: DAY_MS,
}

/** How often something may be tried at once, and how slow it gets after that. */
export interface AttemptRateLimit {
  free: number
  slowestMs: number
}

/** How often something may be tried before each attempt must wait, and the longest wait. */
export const ATTEMPT_RATE_LIMITS = {
  /** Passwords from one address. */
  passwordPerAddress: { free: 20, slowestMs: MINUTE_MS },
  /** Passwords for one account, from browsers that it does not know. */
  passwordPerAccount: { free: 5, slowestMs: MINUTE_MS },
  /** Passwords for one account, from one browser that it knows. */
  passwordPerKnownBrowser: { free: 5, slowestMs: 15 * MINUTE_MS },
  /** Codes of one employee. Whoever gets to try codes knows the password: no stranger slows anyone down here. */
  codePerEmployee: { free: 5, slowestMs: 15 * MINUTE_MS },
  /** Password resets that are asked for from one address. */
  resetPerAddress: { free: 10, slowestMs: 15 * MINUTE_MS },
  /** Password resets that are asked for one account. */
  resetPerAccount: { free: 3, slowestMs: 15 * MINUTE_MS },
} satisfies Record<string, AttemptRateLimit>
