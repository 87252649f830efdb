/** The limits of a contact. */
export const CONTACT_LIMITS = {
  /** Its name, or that of its company. */
  nameCharacters: 255,
  /** Its note. */
  noteCharacters: 10_000,
  /** The text sent as its number, before it is parsed. */
  phoneCharacters: 64,
}
