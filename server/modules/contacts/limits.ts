/** The limits of a contact. */
export const CONTACT_LIMITS = {
  /** Its name, or that of its company. */
  nameCharacters: 255,
  /** Its note. */
  noteCharacters: 10_000,
  /** What may be sent as its number, before that is read as one. */
  phoneCharacters: 64,
}
