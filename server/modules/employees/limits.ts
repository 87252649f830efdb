/** The limits of an employee. */
export const LIMITS = {
  /** Their name. */
  nameCharacters: 255,
  /** What may be sent as their number, before that is read as one. */
  phoneCharacters: 64,
}
