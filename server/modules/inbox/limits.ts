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
  /**
   * Threads that one request for a filtered list looks at: those of a filter without an index of its own may be far
   * apart. The rest follows with the next page.
   */
  threadsScanned: 2_000,
  /** The length of an internal note. */
  noteCharacters: 4_000,
  /** Employees whom a note mentions. */
  mentions: 20,
  /** Threads with unseen mentions of an employee that are listed. */
  mentioningThreads: 200,
  /** An employee counts as writing for so long after saying so. */
  writingMs: 20_000,
  /** How far ahead a thread can be snoozed: a year, and a day for time zones. */
  snoozeDays: 366,
}
