/** The limits of voicemails. */
export const VOICEMAIL_LIMITS = {
  /** A search. */
  queryCharacters: 200,
  /** The words of a search; further ones are ignored. */
  queryWords: 10,
  /** The results of a search. */
  searchPage: 50,
}
