/** Line breaks and other controls, and what turns the direction of the text around it. */
const BREAKS_LINE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u
const EACH_BREAK = new RegExp(BREAKS_LINE, 'gu')

export const isOneLine = (text: string) => !BREAKS_LINE.test(text)

/** What others wrote, fit to stand within a line of ours. */
export const oneLine = (text: string) => text.replace(EACH_BREAK, ' ').replace(/\s+/g, ' ').trim()
