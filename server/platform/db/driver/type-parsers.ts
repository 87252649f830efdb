import { types } from 'pg'

type Parse = (text: string) => unknown

/** Missing in the driver's types. */
const TEXT_ARRAY = 1009
const parseTexts = types.getTypeParser(TEXT_ARRAY as never) as (text: string) => (string | null)[]

/** The OIDs of types and of arrays of them, the same in every installation. */
const TYPES: { scalars: number[]; arrays: number[]; parse: Parse }[] = [
  // text, varchar, char, name, uuid; bigint and numeric, which may not fit a number
  { scalars: [], arrays: [1009, 1015, 1014, 1003, 2951, 1016, 1231], parse: String },
  // integer, smallint, oid, real, double precision
  { scalars: [23, 21, 26, 700, 701], arrays: [1007, 1005, 1028, 1021, 1022], parse: Number },
  { scalars: [16], arrays: [1000], parse: (text) => text === 't' },
  // timestamptz, timestamp, date
  { scalars: [1184, 1114, 1082], arrays: [1185, 1115, 1182], parse: (text) => new Date(text) },
  // jsonb, json
  { scalars: [3802, 114], arrays: [3807, 199], parse: JSON.parse },
  { scalars: [17], arrays: [1001], parse: (text) => Buffer.from(text.slice(2), 'hex') },
]

const parsers = new Map<number, Parse>()
for (const { scalars, arrays, parse } of TYPES) {
  for (const oid of scalars) parsers.set(oid, parse)
  for (const oid of arrays) parsers.set(oid, (text) => parseArray(text, parse))
}

/** The driver would read some types otherwise: a date in local time, an interval as an object. */
export const typeParsers = { getTypeParser: (oid: number): Parse => parsers.get(oid) ?? String }

function parseArray(text: string, parse: Parse): unknown[] {
  return parseTexts(text).map((item) => (item === null ? null : parse(item)))
}
