/** Addresses in ASCII are told apart without their case, as in the database. */
export const isSameEmail = (one: string | null | undefined, other: string) =>
  one?.toLowerCase() === other.toLowerCase()
