/** The limits of an employee. */
export const EMPLOYEE_LIMITS = {
  /** Their name. */
  nameCharacters: 255,
  /** The text sent as their number, before it is parsed. */
  phoneCharacters: 64,
}
