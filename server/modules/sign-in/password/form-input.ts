import { EmailAddress } from '../../../platform/schemas.ts'

/** Hashing a longer text takes longer. */
const PASSWORD_CHARACTERS_MAX = 1_024

/** Undefined if it is not a valid address. */
export const parseEmailInput = (text: string): string | undefined => EmailAddress.safeParse(text).data

/** A longer one is cut, and then wrong. */
export const truncatePassword = (text: string): string => text.slice(0, PASSWORD_CHARACTERS_MAX)
