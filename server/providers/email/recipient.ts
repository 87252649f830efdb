/** Mail libraries accept lists, names and line breaks in a recipient; we send to one bare address only. */
export function soleRecipient(to: string): string {
  if (!BARE_ADDRESS.test(to)) throw new Error('the recipient must be one bare e-mail address')
  return to
}

const BARE_ADDRESS = /^[^\s<>()[\]\\,;:"@]+@[^\s<>()[\]\\,;:"@]+$/
