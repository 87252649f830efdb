/** Line breaks and other control characters, and marks that change the direction of the text around them. */
const BREAKS_LINE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u
const EACH_BREAK = new RegExp(BREAKS_LINE, 'gu')

export const isOneLine = (text: string) => !BREAKS_LINE.test(text)

/** Text of others, made safe for use within a line of ours. */
export const oneLine = (text: string) => text.replace(EACH_BREAK, ' ').replace(/\s+/g, ' ').trim()
