/** What looking up callers may cost. */
export const LOOK_UP_LIMITS = {
  /** Other systems that a company asks. */
  integrationsPerCompany: 10,
  /** What may be sent as a number, before that is read as one. */
  phoneCharacters: 64,
  /** The name of an integration. */
  labelCharacters: 128,
  /** The address of an integration. */
  urlCharacters: 2_000,
  /** The credentials of an integration. */
  secretCharacters: 255,
  /** How long an answer is used without asking again. */
  freshMs: 30_000,
  /** How long it is used if a provider could not be asked. */
  freshAfterFailureMs: 5_000,
  /** How often it is noted that a provider answers. */
  successNotedMs: 60_000,
  /** How long requests to an endpoint of the company’s own are signed with the old secret too. */
  secretOverlapMs: 24 * 60 * 60 * 1000,
  /** What is kept of an answer to find calls by. */
  searchTextCharacters: 20_000,
}
