/** The limits of voicemails. */
export const VOICEMAIL_LIMITS = {
  /** A search. */
  queryCharacters: 200,
  /** The words of a search; further ones are ignored. */
  queryWords: 10,
  /** The results of a search. */
  searchPage: 50,
  /** The newest voicemails, which a search reads; earlier ones are not found. */
  searchedNewest: 5_000,
}
