import {
  type Context,
  CONTEXT_LIMITS as LIMITS,
  type FieldsSection,
  type ProviderContact,
  type Section,
  type TableSection,
} from './port.ts'
import { filledTextOf, lineOf, listOf, objectOf, urlOf } from './texts.ts'
import { contextValueOf, emailOf, formatOf } from './values.ts'

/** Defaults for what a provider leaves out. */
type Defaults = Pick<Context, 'provider' | 'label' | 'source'>

const PROVIDER = /^[a-z0-9][a-z0-9_-]{0,63}$/

/**
 * Parses untrusted input field by field: invalid parts are dropped and long ones cut, as little as possible each
 * time. Undefined if nothing useful is left.
 */
export function parseContext(input: unknown, defaults: Defaults): Context | undefined {
  const { provider, label, source, url, contact, sections } = objectOf(input)
  const context: Context = {
    provider: typeof provider === 'string' && PROVIDER.test(provider) ? provider : defaults.provider,
    label: lineOf(label, LIMITS.labelCharacters) ?? defaults.label,
    source: lineOf(source, LIMITS.sourceCharacters) ?? defaults.source,
    url: urlOf(url),
    contact: parseProviderContact(contact),
    sections: readEach(sections, LIMITS.sections, readSection),
  }
  return context.url || context.contact || context.sections.length > 0 ? context : undefined
}

/** Null if nothing is known. */
export function parseProviderContact(input: unknown): ProviderContact | null {
  const { name, email, company_name, note } = objectOf(input)
  const contact = {
    name: lineOf(name, LIMITS.contactNameCharacters),
    email: emailOf(email),
    company_name: lineOf(company_name, LIMITS.contactNameCharacters),
    note: filledTextOf(note, LIMITS.contactNoteCharacters),
  }
  return Object.values(contact).some((value) => value !== null) ? contact : null
}

function readSection(input: unknown): Section | null {
  const { type } = objectOf(input)
  if (type === 'fields') return readFields(input)
  return type === 'table' ? readTable(input) : null
}

function readFields(input: unknown): FieldsSection | null {
  const section = objectOf(input)
  const label = lineOf(section.label, LIMITS.labelCharacters)
  const fields = readEach(section.fields, LIMITS.fieldsPerSection, readField)
  return fields.length > 0 ? { type: 'fields', ...(label && { label }), fields } : null
}

function readField(input: unknown): FieldsSection['fields'][number] | null {
  const { label: heading, value: given, format: hint, url: link, bold } = objectOf(input)
  const label = lineOf(heading, LIMITS.labelCharacters)
  const format = formatOf(hint)
  const value = contextValueOf(given, format)
  if (label === null || value === null) return null
  const url = urlOf(link)
  return {
    label,
    value,
    ...(format && { format }),
    ...(url && { url }),
    ...(typeof bold === 'boolean' && { bold }),
  }
}

function readTable(input: unknown): TableSection | null {
  const table = objectOf(input)
  const label = lineOf(table.label, LIMITS.labelCharacters)
  const columns = firstOfEachKey(readEach(table.columns, LIMITS.columnsPerTable, readColumn))
  if (label === null || columns.length === 0) return null
  const rows = readEach(table.rows, LIMITS.rowsPerTable, (row) => readRow(row, columns))
  return { type: 'table', label, columns, rows }
}

type Column = TableSection['columns'][number]

/** Valid property names, except those that every object has. */
const COLUMN_KEY = /^(?!__proto__$)[\w.-]{1,64}$/

function readColumn(input: unknown): Column | null {
  const { key, label: heading, format: hint } = objectOf(input)
  const label = lineOf(heading, LIMITS.labelCharacters)
  if (typeof key !== 'string' || !COLUMN_KEY.test(key) || label === null) return null
  const format = formatOf(hint)
  return { key, label, ...(format && { format }) }
}

function firstOfEachKey(columns: Column[]): Column[] {
  return columns.filter(({ key }, i) => columns.findIndex((column) => column.key === key) === i)
}

/** Rows with nothing to show are skipped. */
function readRow(input: unknown, columns: Column[]): TableSection['rows'][number] | null {
  const row = objectOf(input)
  const given = new Map(Object.entries(objectOf(row.values)))
  const values = columns.flatMap(({ key, format }) => {
    const value = contextValueOf(given.get(key), format)
    return value === null ? [] : [[key, value] as const]
  })
  if (values.length === 0) return null
  const url = urlOf(row.url)
  return { ...(url && { url }), values: Object.fromEntries(values) }
}

function readEach<T>(input: unknown, max: number, read: (item: unknown) => T | null): T[] {
  return listOf(input, max)
    .map(read)
    .filter((item): item is T & {} => item !== null)
}
