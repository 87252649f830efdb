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
  /** Browsers keep no cookie for longer. */
  knownBrowserMs: 400 * DAY_MS,
  passwordResetMs: 60 * MINUTE_MS,
  /** Clocks of phones go wrong: a code counts this much before and after its time. */
  codeToleranceSeconds: 30,
  recoveryCodes: 10,
  userAgentCharacters: 256,
  returnPathCharacters: 4_096,
}

/** How often something may be tried at once, and how slow it gets after that. */
export interface Pace {
  free: number
  slowestMs: number
}

export const PACES = {
  passwordPerAddress: { free: 20, slowestMs: MINUTE_MS },
  passwordPerAccount: { free: 5, slowestMs: MINUTE_MS },
  passwordPerKnownBrowser: { free: 5, slowestMs: 15 * MINUTE_MS },
  /** Whoever gets to try codes knows the password: no stranger slows anyone down here. */
  codePerEmployee: { free: 5, slowestMs: 15 * MINUTE_MS },
  resetPerAddress: { free: 10, slowestMs: 15 * MINUTE_MS },
  resetPerAccount: { free: 3, slowestMs: 15 * MINUTE_MS },
} satisfies Record<string, Pace>

/** After the free attempts the wait doubles each time, from this. */
export const FIRST_WAIT_MS = SECOND_MS

/** Attempts are forgotten when there was none for so long. */
export const ATTEMPTS_KEPT_MS = DAY_MS
