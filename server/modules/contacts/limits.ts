/** The limits of contacts. */
export const CONTACT_LIMITS = {
  /** Its name, or that of its company. */
  nameCharacters: 255,
  /** Its note. */
  noteCharacters: 10_000,
  /** The text sent as its number, before it is parsed. */
  phoneCharacters: 64,
  /** The numbers of a contact. */
  numbers: 20,
  /** Contacts that are merged at once. More of one name are not the same person: `note_double` in the schema counts to it. */
  merged: 10,
  /** Groups of double contacts that are shown at once. */
  doubles: 50,
  /** Contacts on a page of a search by default. */
  pageDefault: 50,
  /** Contacts on a page of a search. */
  pageMax: 100,
  /** The text that is searched for. */
  queryCharacters: 128,
  /** A cursor. */
  cursorCharacters: 1_000,
  /** The first words of a search; further ones are ignored. */
  searchedWords: 5,
  /**
   * Words that begin as a search does. Up to this many, the contacts are counted and sorted; with more, the address
   * book is read in its order until the page is full.
   */
  wordsSorted: 5_000,
  /** The whole address book is counted up to here, along an index. */
  counted: 5_000,
}
