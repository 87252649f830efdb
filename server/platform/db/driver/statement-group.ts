import { type Client, type Connection, Query } from 'pg'

import { messageWriter } from './message-writer.ts'
import type { Statement, StatementResult } from './sql.ts'
import { typeParsers } from './type-parsers.ts'

type PreparedStatement = Statement & { name: string }

/** How the rows of a statement are read. */
interface Columns {
  /** A row of nulls: filling a copy of it costs less than adding one column after the other. */
  empty: Record<string, unknown>
  names: string[]
  parsers: ((text: string) => unknown)[]
}

interface Sent extends Omit<PreparedStatement, 'values'> {
  values: (string | Buffer | null)[]
  rows: object[]
  columns: Columns
  resolve(result: StatementResult): void
  reject(error: unknown): void
}

/** The statements that a connection has prepared and run at least once, by name. */
const preparedOn = new WeakMap<Connection, Map<string, Columns>>()

/** Connections on which the session may change with each transaction, and with it the statements that it has prepared. */
const unprepared = new WeakSet<Connection>()

export const neverPrepareOn = (client: Client) => unprepared.add(connectionOf(client))

const connectionOf = (client: Client) => (client as unknown as { connection: Connection }).connection

/**
 * Statements that reach PostgreSQL together, in one write and with one Sync: once one of them fails, PostgreSQL runs none
 * of the following. A statement whose columns are known is not described again.
 *
 * The driver sends one statement with each Sync. To the driver this is one query, with all methods that it calls.
 */
export class StatementGroup {
  readonly #statements: Sent[] = []
  /** Settles with the whole group, after PostgreSQL has committed if it is a transaction of its own. */
  readonly done: Promise<void>
  #settle!: { resolve(): void; reject(error: unknown): void }
  #connection!: Connection
  /** Undefined if the session may change. */
  #prepared: Map<string, Columns> | undefined
  /** How many statements were sent. */
  #sent = 0
  #isOpen = false
  /** They are still to be asked for. */
  #areResultsEarly = false
  /** The statement whose response is being received. */
  #current = 0

  constructor() {
    this.done = new Promise((resolve, reject) => (this.#settle = { resolve, reject }))
    // Its statements fail too, unless it is the commit that fails.
    this.done.catch(() => {})
  }

  add(statement: PreparedStatement): Promise<StatementResult> {
    return new Promise((resolve, reject) => {
      // A value that cannot be written fails here, before anything of the group is.
      const values = statement.values.map(writeValue)
      this.#statements.push({ ...statement, values, rows: [], columns: NO_COLUMNS, resolve, reject })
    })
  }

  /** Adds a statement before all others. */
  addFirst(statement: PreparedStatement): Promise<StatementResult> {
    const result = this.add(statement)
    this.#statements.unshift(this.#statements.pop()!)
    return result
  }

  sendOn(client: Client): void {
    client.query(this as unknown as Query)
  }

  /** The same, but PostgreSQL sends the results before it commits. */
  sendForEarlyResultsOn(client: Client): void {
    this.#areResultsEarly = true
    this.sendOn(client)
  }

  /** The same without the Sync, until `end`: PostgreSQL runs the statements at once, but commits nothing. */
  sendOpenOn(client: Client): void {
    this.#isOpen = true
    this.sendForEarlyResultsOn(client)
  }

  /** Sends the Sync of an open group, after the statements that were added meanwhile. */
  end(): void {
    this.#isOpen = false
    this.#write()
  }

  /** The driver calls this and the following. */
  submit(connection: Connection): void {
    if (!unprepared.has(connection)) {
      this.#prepared = preparedOn.get(connection) ?? new Map<string, Columns>()
      preparedOn.set(connection, this.#prepared)
    }
    this.#connection = connection
    this.#write()
  }

  #write(): void {
    for (; this.#sent < this.#statements.length; this.#sent++) this.#writeOne(this.#statements[this.#sent]!)
    if (this.#areResultsEarly) messageWriter.flush()
    this.#areResultsEarly = false
    if (!this.#isOpen) messageWriter.sync()
    const messages = messageWriter.take()
    const { stream } = this.#connection
    if (stream.writable) stream.write(messages)
  }

  #writeOne(statement: Sent): void {
    const { text, values } = statement
    const name = this.#prepared ? statement.name : UNNAMED
    const known = this.#prepared?.get(name)
    if (known) statement.columns = known
    else {
      // A statement that was prepared and then failed has its name already.
      if (name !== UNNAMED) messageWriter.close(name)
      messageWriter.parse(name, text)
    }
    messageWriter.bind(name, values)
    if (!known) messageWriter.describePortal()
    messageWriter.execute()
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    this.#statements[this.#current]!.columns = {
      empty: Object.fromEntries(fields.map(({ name }) => [name, null])),
      names: fields.map(({ name }) => name),
      parsers: fields.map(({ dataTypeID }) => typeParsers.getTypeParser(dataTypeID)),
    }
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const { rows, columns } = this.#statements[this.#current]!
    const row = { ...columns.empty }
    for (let i = 0; i < fields.length; i++) {
      const text = fields[i]!
      row[columns.names[i]!] = text === null ? null : columns.parsers[i]!(text)
    }
    rows.push(row)
  }

  handleCommandComplete({ text }: { text: string }): void {
    const { name, rows, columns, resolve } = this.#statements[this.#current]!
    this.#prepared?.set(name, columns)
    this.#current++
    resolve({ rows, rowCount: Number(/\d+$/.exec(text)?.[0] ?? 0) })
  }

  /** PostgreSQL skips what follows; or the connection was lost. */
  handleError(error: Error): void {
    // The stack of the driver leads to its socket only.
    Error.captureStackTrace(error)
    for (const { reject } of this.#statements.slice(this.#current)) reject(error)
    this.#settle.reject(error)
  }

  handleReadyForQuery(): void {
    this.#settle.resolve()
  }
}

// The driver accepts no other class of queries. Its constructor would make an event emitter and an empty result, which
// are not used.
Object.setPrototypeOf(StatementGroup.prototype, Query.prototype)

/** PostgreSQL forgets the last statement without a name at the next. */
const UNNAMED = ''

const NO_COLUMNS: Columns = { empty: {}, names: [], parsers: [] }

function writeValue(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  if (Array.isArray(value)) return writeArray(value)
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function writeArray(items: unknown[]): string {
  return `{${items.map(writeItem).join(',')}}`
}

function writeItem(item: unknown): string {
  if (Array.isArray(item)) return writeArray(item)
  const value = writeValue(item)
  if (value === null) return 'NULL'
  if (typeof value !== 'string') return String.raw`"\\x${value.toString('hex')}"`
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', String.raw`\"`)}"`
}
