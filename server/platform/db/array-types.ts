import type { PostgresType } from 'postgres'

interface Element {
  /** The OIDs of these array types, the same in every installation. */
  arrays: number[]
  write(value: never): string
  read(text: string): unknown
}

const elements = {
  // text, varchar, char, name, uuid; bigint and numeric, which may not fit a number
  text: { arrays: [1009, 1015, 1014, 1003, 2951, 1016, 1231], write: String, read: String },
  // integer, smallint, oid, real, double precision
  number: { arrays: [1007, 1005, 1028, 1021, 1022], write: String, read: Number },
  boolean: { arrays: [1000], write: String, read: (text) => text === 't' },
  // timestamptz, timestamp, date
  date: {
    arrays: [1185, 1115, 1182],
    write: (value: Date) => value.toISOString(),
    read: (text) => new Date(text),
  },
  // jsonb, json
  json: { arrays: [3807, 199], write: JSON.stringify, read: JSON.parse },
  bytea: {
    arrays: [1001],
    write: (value: Buffer) => `\\x${value.toString('hex')}`,
    read: (text) => Buffer.from(text.slice(2), 'hex'),
  },
} satisfies Record<string, Element>

/**
 * The driver would query the array types on each new connection, and a connection lost during that query ends the
 * process by an unhandled rejection. Only one dimension is supported.
 */
export const arrayTypes: Record<string, PostgresType> = Object.fromEntries(
  Object.entries<Element>(elements).map(([name, element]) => [
    `${name}[]`,
    {
      to: element.arrays[0]!,
      from: element.arrays,
      serialize: (value: unknown) => writeArray(value, element),
      parse: (text: string) => readArray(text, element),
    },
  ]),
)

function writeArray(value: unknown, { write }: Element): unknown {
  if (!Array.isArray(value)) return value
  const items = value.map((item) => (item === null ? 'null' : quote(write(item as never))))
  return `{${items.join(',')}}`
}

const quote = (text: string) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`

const ITEM = /"((?:[^"\\]|\\.)*)"|[^,{}]+/gs

function readArray(text: string, { read }: Element): unknown[] {
  return Array.from(text.matchAll(ITEM), ([bare, quoted]) => {
    if (quoted !== undefined) return read(quoted.replaceAll(/\\(.)/gs, '$1'))
    return bare === 'NULL' ? null : read(bare)
  })
}
