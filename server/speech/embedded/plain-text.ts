/** Text that a voice can read: no control characters, emoji or direction marks; a line break ends a sentence. */
export function plainText(text: string): string {
  return (
    text
      .toWellFormed()
      .normalize('NFC')
      .replace(/([\p{L}\p{N}])[^\S\n]*\n\s*/gu, '$1. ')
      // Including variation selectors. Joiners stay: Persian and Indic scripts need them.
      .replace(/\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{RI}|[\uFE00-\uFE0F\u20E3]/gu, ' ')
      .replace(/[\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF\u00AD]/g, '')
      .replace(/[\p{Cc}\p{Co}\p{Cn}\uFFFD\s]+/gu, ' ')
      .trim()
  )
}
