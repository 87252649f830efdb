/** The limits of the inbox. */
export const INBOX_LIMITS = {
  /** Threads, or entries of one, on a page if the client does not say. */
  pageDefault: 50,
  /** Threads, or entries of one, on a page. */
  pageMax: 100,
  /** A search. */
  queryCharacters: 128,
  /** A cursor. */
  cursorCharacters: 1_000,
  /** What may be sent as a number, before that is read as one. */
  phoneCharacters: 64,
  /** Contacts whose threads a search shows. */
  contactCandidates: 100,
  /** Up to so many numbers are looked up one by one; of what more numbers have, the newest threads are soon found. */
  phonesLookedUp: 1_000,
  /**
   * So many characters are found anywhere in a text. Nearly every text has fewer somewhere, so they must begin a
   * word.
   */
  charactersAnywhere: 3,
}
