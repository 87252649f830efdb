import { EmailAddress } from '../../../platform/schemas.ts'

/** Hashing takes longer the longer the text is. */
const PASSWORD_CHARACTERS_MAX = 1_024

/** Undefined for what nobody can have as an address. */
export const readEmail = (text: string): string | undefined => EmailAddress.safeParse(text).data

/** One that is too long is cut, and then wrong. */
export const readPassword = (text: string): string => text.slice(0, PASSWORD_CHARACTERS_MAX)
