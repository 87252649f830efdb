/** HTML that may be sent as it is. Only the tag below makes it, so what reaches it was escaped on the way. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Value = Html | string | number | false | null | undefined | Value[]

/**
 * Texts are escaped, for elements and for quoted attributes alike; HTML stays; nothing is shown for what is not there.
 * Marks that change the direction of what stands around a text are left out.
 */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(parts.reduce((text, part, index) => text + textOf(values[index - 1]) + part))
}

function textOf(value: Value): string {
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(textOf).join('')
  if (value === false || value === null || value === undefined) return ''
  return String(value)
    .replace(/\p{Bidi_Control}/gu, '')
    .replace(/[&<>"']/g, (sign) => ESCAPES[sign]!)
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
