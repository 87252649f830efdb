/** Mail libraries read lists, names and line breaks out of a recipient; a letter goes to one bare address. */
export function soleRecipient(to: string): string {
  if (!BARE_ADDRESS.test(to)) throw new Error('a letter needs one bare e-mail address to go to')
  return to
}

const BARE_ADDRESS = /^[^\s<>()[\]\\,;:"@]+@[^\s<>()[\]\\,;:"@]+$/
