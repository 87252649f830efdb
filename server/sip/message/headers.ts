import { splitOutside } from './grammar/scan.ts'

/** The compact forms of RFC 3261 §7.3.3 and those registered since. */
const COMPACT: Record<string, string> = {
  a: 'accept-contact',
  b: 'referred-by',
  c: 'content-type',
  e: 'content-encoding',
  f: 'from',
  i: 'call-id',
  k: 'supported',
  l: 'content-length',
  m: 'contact',
  o: 'event',
  r: 'refer-to',
  s: 'subject',
  t: 'to',
  u: 'allow-events',
  v: 'via',
  x: 'session-expires',
}

/** Names whose spelling is not simply a capital at the start of each word. */
const WRITTEN: Record<string, string> = {
  'call-id': 'Call-ID',
  cseq: 'CSeq',
  'min-se': 'Min-SE',
  rack: 'RAck',
  rseq: 'RSeq',
  'www-authenticate': 'WWW-Authenticate',
}

interface Field {
  key: string
  value: string
}

/** The header fields of a message, in order. Keys are long names in lower case; values are as received, unfolded. */
export class Headers {
  #fields: Field[] = []
  readonly #parsed = new Map<string, unknown>()

  /** Adds a field by its received name, long or compact, in any case. */
  addWritten(name: string, value: string): void {
    const key = name.toLowerCase()
    this.#fields.push({ key: COMPACT[key] ?? key, value })
  }

  get(key: string): string | undefined {
    for (const field of this.#fields) if (field.key === key) return field.value
    return undefined
  }

  all(key: string): string[] {
    const values: string[] = []
    for (const field of this.#fields) if (field.key === key) values.push(field.value)
    return values
  }

  count(key: string): number {
    let count = 0
    for (const field of this.#fields) if (field.key === key) count++
    return count
  }

  /** All values, including those that share a line. Undefined if a quote or bracket is not closed. */
  list(key: string): string[] | undefined {
    const values: string[] = []
    for (const field of this.#fields) {
      if (field.key !== key) continue
      const parts = splitOutside(field.value, ',')
      if (!parts) return undefined
      for (const part of parts) if (part !== '') values.push(part)
    }
    return values
  }

  /** Whether a list of tokens, such as Supported, contains this one. */
  names(key: string, token: string): boolean {
    return this.list(key)?.some((value) => value.toLowerCase() === token) ?? false
  }

  has(key: string): boolean {
    return this.get(key) !== undefined
  }

  add(key: string, ...values: string[]): this {
    for (const value of values) this.#fields.push({ key, value })
    this.#parsed.delete(key)
    return this
  }

  addFirst(key: string, value: string): this {
    this.#fields.unshift({ key, value })
    this.#parsed.delete(key)
    return this
  }

  /** Replaces all values of the key; undefined or no values remove it. */
  set(key: string, ...values: (string | undefined)[]): this {
    this.#parsed.delete(key)
    const at = this.#fields.findIndex((field) => field.key === key)
    const [first] = values
    if (values.length === 1 && first !== undefined && this.count(key) <= 1) {
      this.#fields[at === -1 ? this.#fields.length : at] = { key, value: first }
      return this
    }
    const fields = values.flatMap((value) => (value === undefined ? [] : { key, value }))
    const others = this.#fields.filter((field) => field.key !== key)
    others.splice(at === -1 ? others.length : at, 0, ...fields)
    this.#fields = others
    return this
  }

  /** What `parse` makes of the fields of a key, cached until they change. */
  parsed<T>(key: string, parse: (headers: this) => T): T {
    if (!this.#parsed.has(key)) this.#parsed.set(key, parse(this))
    return this.#parsed.get(key) as T
  }

  copy(): Headers {
    const copy = new Headers()
    copy.#fields = [...this.#fields]
    return copy
  }

  print(): string {
    let text = ''
    for (const { key, value } of this.#fields) text += `${written(key)}: ${value}\r\n`
    return text
  }
}

const writtenNames = new Map(Object.entries(WRITTEN))

function written(key: string): string {
  const known = writtenNames.get(key)
  if (known) return known
  const name = key.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase())
  // Keys from peers are unlimited; ours are few.
  if (writtenNames.size < WRITTEN_NAMES_MAX) writtenNames.set(key, name)
  return name
}

const WRITTEN_NAMES_MAX = 500
