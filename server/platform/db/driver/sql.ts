/** A statement as it is sent. One with a name is prepared. */
export interface Statement {
  name?: string
  text: string
  values: unknown[]
}

export interface StatementResult {
  rows: object[]
  rowCount: number | null
}

/** Several statements have several results. */
export type Send = (statement: Statement) => Promise<StatementResult | StatementResult[]>

type Row = Record<string, any>
/** Rows, and how many were found or changed. */
type Rows<T> = T & { readonly count: number }

/** A part of a statement that is more than a value. */
export class Fragment {
  /** Adds values and returns the text that refers to them; `before` is the text that it follows. */
  readonly write: (values: unknown[], before: string) => string

  constructor(write: Fragment['write']) {
    this.write = write
  }
}

/** Values are sent apart from the text. */
type Part = null | boolean | number | string | Date | Uint8Array | readonly Part[] | Fragment

/** Writes statements as tagged templates. */
export interface Queryable {
  <T extends readonly object[] = Row[]>(strings: TemplateStringsArray, ...parts: Part[]): Query<Rows<T>>
  (identifier: string): Fragment
  /** The columns and values of `insert into t ${…}` or `set ${…}`. */
  (columns: object | object[]): Fragment
  json(value: unknown): Fragment
  /** Not prepared; may contain several statements. */
  unsafe<T extends readonly object[] = Row[]>(text: string): Query<Rows<T>>
}

/** Each query runs on any connection. */
export interface Sql extends Queryable {
  readonly scope: 'pool'
}

/** All queries run in one transaction. */
export interface Tx extends Queryable {
  readonly scope: 'transaction'
  /** Whether `commitNow` may be called. */
  readonly mayCommitEarly: boolean
  /**
   * The statements of this tick are the last of the transaction, and commit as they arrive; or, if a promise is given,
   * once it is fulfilled. If it is rejected, nothing commits, and the transaction fails with its error. The results of the
   * statements do not wait for it.
   */
  commitNow(once?: Promise<unknown>): void
}

export function createSql<S extends Sql | Tx>(scope: S['scope'], send: Send): S {
  const sql = (first: TemplateStringsArray | string | object, ...parts: Part[]) => {
    if (typeof first === 'string') return new Fragment(() => quote(first))
    if ('raw' in first) return new Query(first, parts, send)
    return new Fragment((values, before) => writeColumns([first].flat() as Columns[], values, before))
  }
  const unsafe = (text: string) => new Query([text], [], (it) => send({ text: it.text, values: it.values }))
  return Object.assign(sql, { scope, json, unsafe }) as unknown as S
}

const json = (value: unknown) =>
  new Fragment((values) => `$${values.push(value === null ? null : JSON.stringify(value))}::jsonb`)

/** Runs when it is awaited, unless it is a part of another one. */
class Query<T> extends Fragment implements Promise<T> {
  readonly [Symbol.toStringTag] = 'Query'
  readonly #send: Send
  #rows: Promise<T> | undefined

  constructor(strings: readonly string[], parts: Part[], send: Send) {
    super((values) => {
      let text = strings[0]!
      for (const [i, part] of parts.entries()) text += writePart(part, values, text) + strings[i + 1]!
      return text
    })
    this.#send = send
  }

  // oxlint-disable-next-line unicorn/no-thenable -- a query that nobody awaits must not run
  then<A = T, B = never>(
    onRows?: ((rows: T) => A | PromiseLike<A>) | null,
    onError?: ((error: any) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#rows ??= this.#run()
    return this.#rows.then(onRows, onError)
  }

  catch<B = never>(onError?: ((error: any) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(undefined, onError)
  }

  finally(onEnd?: (() => void) | null): Promise<T> {
    return this.then().finally(onEnd)
  }

  async #run(): Promise<T> {
    const values: unknown[] = []
    const text = this.write(values, '')
    const result = await this.#send({ name: nameOf(text), text, values })
    const { rows, rowCount } = Array.isArray(result) ? result.at(-1)! : result
    return Object.defineProperty(rows, 'count', { value: rowCount }) as T
  }
}

/**
 * PostgreSQL infers the type of a value from its place. Where that is ambiguous, such as in a subtraction of two
 * times, the type of the JavaScript value decides.
 */
function writePart(part: Part | undefined, values: unknown[], before = ''): string {
  if (part instanceof Fragment) return part.write(values, before)
  if (part instanceof Date) return `$${values.push(part.toISOString())}::timestamptz`
  if (part instanceof Uint8Array) return `$${values.push(part)}::bytea`
  if (typeof part === 'boolean') return `$${values.push(part)}::boolean`
  if (part === undefined) throw new TypeError('a value of a statement is undefined')
  return `$${values.push(part)}`
}

type Columns = Record<string, Part>

function writeColumns(rows: Columns[], values: unknown[], before: string): string {
  const names = Object.keys(rows[0]!)
  const valuesOf = (row: Columns) => names.map((name) => writePart(row[name], values))
  if (!/\binsert into \S+\s*$/i.test(before))
    return valuesOf(rows[0]!)
      .map((value, i) => `${quote(names[i]!)} = ${value}`)
      .join(', ')
  return `(${names.map(quote).join(', ')}) values ${rows.map((row) => `(${valuesOf(row).join(', ')})`).join(', ')}`
}

const quote = (name: string) => `"${name.replaceAll('"', '""').replaceAll('.', '"."')}"`

const names = new Map<string, string>()

/** PostgreSQL cuts off long names, so that the text itself cannot be the name of its prepared statement. */
export function nameOf(text: string): string {
  const name = names.get(text) ?? `s${names.size}`
  names.set(text, name)
  return name
}
