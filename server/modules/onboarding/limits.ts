/** The limits of the first steps. */
export const ONBOARDING_LIMITS = {
  /** How long the result of the checks is shown before a page has them made again. */
  checksFreshMs: 10 * 60_000,
  /** How soon somebody can have them made again: they ask carriers and the SMTP server. */
  checksAgainMs: 10_000,
}
