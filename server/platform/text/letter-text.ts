import { oneLine } from './one-line.ts'

declare const written: unique symbol

/** What a letter says: only the tag below makes it, so nothing that others wrote becomes a link in a letter of ours. */
export type LetterText = string & { [written]: true }

/** A text of our own, which stands in a letter as it is: a link, a time. */
export class Own {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export const own = (text: string) => new Own(text)

/** Enough for a name, and too little for a message. */
const CHARACTERS_MAX = 80

/**
 * Mail programs make links of what looks like an address, without being asked: of `evil.example`, `x@evil.example`,
 * `tel:1` and `\\server`. A space after the sign in its middle ends that, and leaves it readable. Some programs take
 * the signs of other scripts for a dot or a colon as well.
 */
const INSIDE_ADDRESS = /[.:@\\\u2024\u3002\uFE52\uFE55\uFE6B\uFF0E\uFF1A\uFF20\uFF61](?=\S)/gu

/** Texts are held to one line, kept short and cannot become links; `own` texts stay as they are. */
export function letterText(parts: TemplateStringsArray, ...values: (string | number | Own)[]): LetterText {
  return parts.reduce((text, part, index) => text + textOf(values[index - 1]!) + part) as LetterText
}

function textOf(value: string | number | Own): string {
  if (value instanceof Own) return value.text
  const characters = Array.from(oneLine(String(value)))
  const short =
    characters.length > CHARACTERS_MAX ? [...characters.slice(0, CHARACTERS_MAX - 1), '…'] : characters
  return short.join('').replace(INSIDE_ADDRESS, '$& ')
}
