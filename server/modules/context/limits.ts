/** The limits of look-ups and integrations. */
export const LOOK_UP_LIMITS = {
  /** Integrations of a company. */
  integrationsPerCompany: 10,
  /** The text sent as a number, before it is parsed. */
  phoneCharacters: 64,
  /** The name of an integration. */
  labelCharacters: 128,
  /** The URL of an integration. */
  urlCharacters: 2_000,
  /** The credentials of an integration. */
  secretCharacters: 255,
  /** How long the result of a look-up is cached. */
  freshMs: 30_000,
  /** How long it is cached if a provider could not be reached. */
  freshAfterFailureMs: 5_000,
  /** How often it is stored that a provider works. */
  successNotedMs: 60_000,
  /** How long requests to a `custom` integration are also signed with the old secret after a change. */
  secretOverlapMs: 24 * 60 * 60 * 1000,
  /** Caller context that is indexed for the search of calls. */
  searchTextCharacters: 20_000,
}
