/** Compares case-insensitively, as the database does. Addresses are ASCII. */
export const isSameEmail = (one: string | null | undefined, other: string) =>
  one?.toLowerCase() === other.toLowerCase()
