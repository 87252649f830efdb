/** RFC 3261 §25.1 `token`. */
const TOKEN = /^[A-Za-z0-9\-.!%*_+`'~]+$/

export function isToken(text: string): boolean {
  return TOKEN.test(text)
}

/**
 * Splits at each `separator` outside of quotes and angle brackets, and trims the parts. Undefined if a quote or
 * a bracket is not closed.
 */
export function splitOutside(text: string, separator: string): string[] | undefined {
  if (!text.includes('"') && !text.includes('<')) return text.split(separator).map((part) => part.trim())
  const parts: string[] = []
  let start = 0
  let inBrackets = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (character === '"' && !inBrackets) {
      const end = closingQuote(text, at)
      if (end === -1) return undefined
      at = end
    } else if (character === '<') inBrackets = true
    else if (character === '>') inBrackets = false
    else if (character === separator && !inBrackets) {
      parts.push(text.slice(start, at).trim())
      start = at + 1
    }
  }
  if (inBrackets) return undefined
  parts.push(text.slice(start).trim())
  return parts
}

/** The end of the quoted string that begins at `open`, or -1. */
export function closingQuote(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at
  }
  return -1
}

/** The content of a quoted string, unescaped. */
export function unquote(text: string): string {
  return text.slice(1, -1).replace(/\\(.)/gs, '$1')
}

export function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
