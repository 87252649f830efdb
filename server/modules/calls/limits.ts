/** The limits of the call history and of its search. */
export const CALL_LIMITS = {
  /** The first slot in which a company can park a call. With a star in front, phones dial it. */
  parkingSlotFirst: 71,
  /** The last such slot. */
  parkingSlotLast: 79,
  /** Calls on a page by default. */
  pageDefault: 10,
  /** Calls on a page. */
  pageMax: 50,
  /** The length of a search query. */
  queryCharacters: 1_000,
  /** The length of the note of a call. */
  noteCharacters: 4_000,
  /** Live calls that the board shows. */
  boardCalls: 500,
  /** Caller context that is indexed with a call. */
  contextCharacters: 20_000,
  /** Words in one chunk of a transcript. The embedding of a whole call would match everything a little. */
  partWords: 60,
  /** Chunks of one call that are embedded. */
  parts: 400,
  /** How many of the newest matches are ranked, so that a very common word does not rank half of all calls. */
  ranked: 500,
  /** How many of the ranked matches are used; a page has up to 50. */
  taken: 100,
  /** Words of a query that are looked up one by one, the longest first, if no call has all of them. */
  words: 12,
  /** Calls that are looked up for each of these words. */
  callsOfWord: 200,
  /** Words at least this long also match as prefixes, because Danish and German have compounds. */
  beginningLetters: 4,
  /** Words in this many calls do not match as prefixes: the index reads every prefix match of every company. */
  seldomCalls: 16,
  /** Cells, of up to 1,024 vectors each, that a semantic search reads. */
  cells: 16,
  /** Vectors that are nearest by their signs and are then compared in full. */
  rescored: 600,
  /** Nearest vectors that are read if filters then remove some of them. */
  beforeFilters: 3_000,
  /** A filter that leaves at most this many calls is applied first, and all their vectors are compared. */
  fewCalls: 2_000,
  /**
   * How long a search waits for the embedding of its query before it uses keywords only. The engine continues, and is
   * warm for the next search.
   */
  embedMs: 2_000,
  /** Letters that a query needs for semantic search. The embedding of a shorter one has no useful meaning. */
  meaningLetters: 3,
  /**
   * How long an ended call waits for its voicemail: longer than the longest voicemail, and long enough for a machine to
   * restart and recover its recordings.
   */
  awaitedVoicemailMs: 10 * 60_000,
}
