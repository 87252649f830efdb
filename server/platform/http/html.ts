/** HTML that is safe to send. Only the tag below creates it, so all values are escaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Value = Html | string | number | false | null | undefined | Value[]

/**
 * Escapes texts, for elements and quoted attributes alike; keeps HTML; renders nothing for undefined, null and false.
 * Removes characters that change the text direction around them.
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
