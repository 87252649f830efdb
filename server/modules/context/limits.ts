/** What looking up callers may cost. */
export const LIMITS = {
  integrationsPerCompany: 10,
  phoneCharacters: 64,
  labelCharacters: 128,
  urlCharacters: 2_000,
  secretCharacters: 255,
  /** An answer is good for so long, or so long if somebody could not be asked. */
  freshMs: 30_000,
  freshAfterFailureMs: 5_000,
  /** How often it is noted that a provider answers. */
  successNotedMs: 60_000,
  /** Requests to an endpoint of the company's own are signed with the old secret too for so long. */
  secretOverlapMs: 24 * 60 * 60 * 1000,
  searchTextCharacters: 20_000,
}
