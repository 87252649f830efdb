/** The limits of the inbox. */
export const INBOX_LIMITS = {
  /** Threads, or items of a thread, on a page by default. */
  pageDefault: 50,
  /** Threads, or items of a thread, on a page. */
  pageMax: 100,
  /** The length of a search query. */
  queryCharacters: 128,
  /** A cursor. */
  cursorCharacters: 1_000,
  /** The text sent as a number, before it is parsed. */
  phoneCharacters: 64,
  /** Matching contacts with activity whose threads a search shows. */
  contactCandidates: 100,
  /** Up to this many numbers are looked up one by one. With more matches, scanning the newest threads is faster. */
  phonesLookedUp: 1_000,
  /**
   * A query this long matches anywhere in a text. A shorter one occurs in nearly every text, so it must match the
   * beginning of a word.
   */
  charactersAnywhere: 3,
}
