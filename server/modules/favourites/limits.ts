/** The limits of favourites. */
export const FAVOURITE_LIMITS = {
  /** How many an employee has: more would be a list to search. */
  perEmployee: 30,
  /** A number, before it is normalised. */
  phoneCharacters: 64,
}
