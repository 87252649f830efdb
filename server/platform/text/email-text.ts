import { oneLine } from './one-line.ts'

declare const written: unique symbol

/** The text of an e-mail. Only the tag below creates it, so nothing that others wrote becomes a link in it. */
export type EmailText = string & { [written]: true }

/** Our own text, which stays as it is: a link, a time. */
export class TrustedText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export const trusted = (text: string) => new TrustedText(text)

/** Enough for a name, and too little for a message. */
const CHARACTERS_MAX = 80

/**
 * E-mail programs turn into links whatever looks like an address: `evil.example`, `x@evil.example`, `tel:1` and
 * `\\server`. A space after the character in the middle prevents that and keeps the text readable. Some programs also
 * accept similar characters of other scripts as a dot or a colon.
 */
const INSIDE_ADDRESS = /[.:@\\\u2024\u3002\uFE52\uFE55\uFE6B\uFF0E\uFF1A\uFF20\uFF61](?=\S)/gu

/** Texts become one short line and cannot become links; `own` texts stay as they are. */
export function emailText(
  parts: TemplateStringsArray,
  ...values: (string | number | TrustedText)[]
): EmailText {
  return parts.reduce((text, part, index) => text + textOf(values[index - 1]!) + part) as EmailText
}

function textOf(value: string | number | TrustedText): string {
  if (value instanceof TrustedText) return value.text
  const characters = Array.from(oneLine(String(value)))
  const short =
    characters.length > CHARACTERS_MAX ? [...characters.slice(0, CHARACTERS_MAX - 1), '…'] : characters
  return short.join('').replace(INSIDE_ADDRESS, '$& ')
}
