/** The limits of an employee. */
export const EMPLOYEE_LIMITS = {
  /** Their name. */
  nameCharacters: 255,
  /** What may be sent as their number, before that is read as one. */
  phoneCharacters: 64,
}
