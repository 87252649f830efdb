/** The limits of the call history and of its search. */
export const CALL_LIMITS = {
  /** Calls on a page, if the client does not say. */
  pageDefault: 10,
  /** Calls on a page. */
  pageMax: 50,
  /** A search. */
  queryCharacters: 1_000,
  /** What the caller context adds to the words that a call is found by. */
  contextCharacters: 20_000,
  /** The words of one part of a transcript: a vector of a whole call means everything and nothing. */
  partWords: 60,
  /** Parts of one call that are embedded. */
  parts: 400,
  /** How many of the newest matches are ranked: a word of half of all calls must not rank half of all calls. */
  ranked: 500,
  /** How many of the ranked are used: a page has 50. */
  taken: 100,
  /** When no call has all words: so many of them, the longest, are looked up. */
  words: 12,
  /** Calls that are looked up of each of these words. */
  callsOfWord: 200,
  /** Words this long also find longer ones that begin alike, as the compounds of Danish and German do. */
  beginningLetters: 4,
  /** But not words of so many calls: of what begins alike the index reads all there is, of every company. */
  seldomCalls: 16,
  /** Cells of up to 1,024 vectors each that a search by meaning reads. */
  cells: 16,
  /** The nearest by their signs, whose vectors are then compared in full. */
  rescored: 600,
  /** The nearest from which filters choose those. */
  beforeFilters: 3_000,
  /** A filter that leaves no more calls than this goes first: all of their vectors are compared. */
  fewCalls: 2_000,
  /**
   * How long a search waits for the vector of its query; then it goes by words alone. The engine goes on, and is
   * warm for the next one.
   */
  embedMs: 2_000,
  /** Letters that a query must have to be searched by meaning: a vector of fewer is about the letters. */
  meaningLetters: 3,
  /**
   * How long an ended call waits for its voicemail: longer than one can be, and than a machine needs to restart and
   * find what was recorded there.
   */
  awaitedVoicemailMs: 10 * 60_000,
}
