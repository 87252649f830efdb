import { z } from 'zod'

import { API_LIMITS } from '../../../server/api/limits.ts'
import type { Route } from '../../../server/platform/http/route.ts'

/** The size limits of a body, of the URL with all headers, and of a form. */
const BYTES = { body: 1024 * 1024, head: 15 * 1024, form: 16 * 1024 }
const MARGIN_BYTES = 1024

/** Strings that are expensive for one kind of parser or another; each is repeated up to the maximum length. */
const DEAR_TEXTS = [
  'a',
  ' ',
  '0',
  '+1 ',
  'a.',
  'a@',
  '-',
  '"',
  '<&',
  '%41',
  'é',
  '😀',
  'e\u0301',
  '\u0000',
  '\ud800',
]

export interface Request {
  /** For the report of a test. */
  what: string
  body?: string
  query?: string
  headers?: Record<string, string>
}

const inHead = (text: string) => text.repeat(Math.floor(BYTES.head / text.length))

/** As many different names as fit into this many bytes. */
const names = (bytes: number) =>
  Array.from({ length: bytes / 2 }, (_, n) => n.toString(36))
    .join('&')
    .slice(0, bytes)

const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }

/** A string of this many bytes of JSON, or slightly fewer. Escaped once, because there are thousands of a megabyte. */
function repeated(text: string, bytes: number): string {
  const escaped = JSON.stringify(text).slice(1, -1)
  return `"${escaped.repeat(Math.max(1, Math.floor(bytes / Buffer.byteLength(escaped))))}"`
}

const listOf = (length: number, item: string) => `[${Array<string>(length).fill(item).join(',')}]`

const hasBody = (method: string) => method !== 'GET' && method !== 'OPTIONS'

/** The most expensive requests to any URL, whatever its route. */
export const worstRequests = (method: string): Request[] => (hasBody(method) ? WITH_BODY : WITHOUT_BODY)

/** Those of them whose cost depends on the route: the others cost only what reads every body and every form. */
export const worstRequestsToRoute = (method: string): Request[] =>
  hasBody(method) ? [...WITHOUT_BODY, ...worstShapes()] : WITHOUT_BODY

function worstQueries(): Request[] {
  return [
    { what: 'many names in the query', query: names(BYTES.head) },
    { what: 'one name again and again in the query', query: inHead('a&') },
    { what: 'escapes in the query', query: inHead('%41') },
  ]
}

function worstHeaders(): Request[] {
  return [
    { what: 'cookies', headers: { cookie: inHead('a=; ') } },
    { what: 'languages', headers: { 'accept-language': inHead('a;q=0.1,') } },
    { what: 'weights of languages', headers: { 'accept-language': inHead(';   q') } },
    { what: 'hops', headers: { 'x-forwarded-for': inHead('10.0.0.1,') } },
    { what: 'a credential', headers: { authorization: `Bearer ${inHead('a=')}` } },
    { what: 'a range', headers: { range: `bytes=${inHead('0-,')}` } },
    { what: 'protocols', headers: { 'sec-websocket-protocol': inHead('a,') } },
  ]
}

function worstForms(): Request[] {
  const forms = [
    ['many names in a form', names(BYTES.form)],
    ['far too many names in a form', names(BYTES.body - MARGIN_BYTES)],
    ['one name again and again in a form', 'token&'.repeat(BYTES.form / 6)],
    ['few names in a form', `${'token=x&'.repeat(49)}a=${'%41'.repeat(5_000)}`],
    ['a long value in a form', `password=${'%C3%A9'.repeat(2_700)}`],
  ]
  return forms.map(([what, body]) => ({ what: what!, body: body!, headers: FORM_TYPE }))
}

const ROOM = BYTES.body - MARGIN_BYTES

const KEYS = Array.from({ length: 90_000 }, (_, n) => `"${n.toString(36)}":0`)
  .join(',')
  .slice(0, ROOM)

/** As many fields as the parser lets through to the schema of a route, with names as long as fit. */
function worstShapes(): Request[] {
  const { bodyFields } = API_LIMITS
  const name = 'a'.repeat(ROOM / bodyFields - 10)
  const fields = Array.from({ length: bodyFields }, (_, n) => `"${n}${name}":0`)
  return jsonRequests([['as many fields as are read', `{${fields.join(',')}}`]])
}

/** The first two are refused by the parser, which is the same for all routes of the API. */
function worstJson(): Request[] {
  return jsonRequests([
    ['many keys', `{${KEYS.slice(0, KEYS.lastIndexOf(','))}}`],
    ['a list of objects', `[${'{},'.repeat(ROOM / 3 - 1)}{}]`],
    ['a list of as many objects as are read', `[${'{},'.repeat(API_LIMITS.bodyContainers - 2)}{}]`],
    ['nested lists', '['.repeat(ROOM / 2) + ']'.repeat(ROOM / 2)],
    ['nested objects', `${'{"a":'.repeat(ROOM / 6)}1${'}'.repeat(ROOM / 6)}`],
    ['a list of messages', `[${'{"jsonrpc":"2.0","id":1,"method":"ping"},'.repeat(ROOM / 42)}0]`],
    [
      'arguments of a tool',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_contacts","arguments":{${KEYS.slice(0, KEYS.lastIndexOf(',', BYTES.body / 5))}}}}`,
    ],
    ['keys of a prototype', `{"a":[${'{"__proto__":1},'.repeat(ROOM / 17)}0]}`],
    ['a long text', JSON.stringify({ text: 'a'.repeat(ROOM) })],
    ['escapes', `{"text":"${'\\u0041'.repeat(ROOM / 7)}"}`],
  ])
}

const jsonRequests = (bodies: [what: string, body: string][]): Request[] =>
  bodies.map(([what, body]) => ({ what, body, headers: JSON_TYPE }))

const WITHOUT_BODY = [...worstQueries(), ...worstHeaders()]
const WITH_BODY = [...WITHOUT_BODY, ...worstForms(), ...worstShapes(), ...worstJson()]

/** The most expensive requests that a route's declaration accepts, or only just rejects. */
export function worstFor({ body, query, example }: Route): Request[] {
  return [...(query ? worstQueriesFor(query) : []), ...(body ? worstBodiesFor(body, example) : [])]
}

function worstQueriesFor(query: z.ZodObject): Request[] {
  return Object.keys(query.shape).flatMap((name) =>
    ['a', '+1 ', '😀', 'a.'].map((text) => ({
      what: `${name}=${text}… in the query`,
      query: `${name}=${encodeURIComponent(text.repeat(BYTES.head / 9 / text.length))}`,
    })),
  )
}

type Json = z.core.JSONSchema.BaseSchema

function worstBodiesFor(schema: z.ZodType, example: unknown): Request[] {
  const forms = formsOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
  const lists = forms.flatMap((form, index): [string, string][] => [
    [`kind ${index} with lists that are far too long`, overlong(form, ROOM)],
    [`kind ${index} with lists of nothing right`, wrongly(form)],
  ])
  // Alternating, because every combination of variant and string would be thousands.
  const texts = DEAR_TEXTS.flatMap((text, turn): [string, string][] => {
    const form = forms[turn % forms.length]!
    const name = `kind ${turn % forms.length} filled with ${JSON.stringify(text)}`
    return [
      [`${name} to its limits`, JSON.stringify(filled(form, text))],
      [`${name} to the limit of the body`, overfilled(form, text, ROOM)],
    ]
  })
  return jsonRequests([['the example', JSON.stringify(example)], ...lists, ...texts])
}

/** Each variant of the body, as one object. */
function formsOf(schema: Json): Json[] {
  const options = schema.anyOf ?? schema.oneOf
  if (options) return options.flatMap(formsOf)
  if (!schema.allOf) return [schema]
  const parts = schema.allOf.map(formsOf)
  return parts.reduce((left, right) =>
    left.flatMap((one) =>
      right.map((other) => ({ ...one, properties: { ...one.properties, ...other.properties } })),
    ),
  )
}

const REPEATED_MAX = 10_000

/** All fields, each with its maximum length. */
function filled(schema: Json, text: string): unknown {
  const [form] = formsOf(schema)
  if (form!.const !== undefined) return form!.const
  if (form!.enum) return form!.enum[0]
  const types = new Set([form!.type].flat())
  if (types.has('object'))
    return Object.fromEntries(fieldsOf(form!).map(([name, field]) => [name, filled(field, text)]))
  if (types.has('array')) return Array(form!.maxItems ?? REPEATED_MAX).fill(filled(form!.items as Json, text))
  if (types.has('string'))
    return text.repeat(Math.ceil((form!.maxLength ?? 100) / text.length)).slice(0, form!.maxLength ?? 100)
  return types.has('boolean') ? true : 1
}

/** Strings that share all the available bytes. */
function overfilled(schema: Json, text: string, room: number): string {
  const bytes = room / (fieldsOf(schema).length || 1)
  return eachField(schema, (field) =>
    'const' in field || 'enum' in field ? JSON.stringify(filled(field, text)) : repeated(text, bytes),
  )
}

function overlong(schema: Json, room: number): string {
  const length = Math.floor(room / (fieldsOf(schema).length || 1) / 2)
  return eachField(schema, (field) =>
    'const' in field ? JSON.stringify(filled(field, 'a')) : listOf(length, '0'),
  )
}

const WRONG_ITEM = JSON.stringify({ employee_ids: Array(1_000).fill('') })

/** Arrays of the maximum length, with only invalid elements. */
function wrongly(schema: Json): string {
  return eachField(schema, (field) =>
    'const' in field ? JSON.stringify(filled(field, 'a')) : listOf(maxItemsOf(field), WRONG_ITEM),
  )
}

const maxItemsOf = (schema: Json): number =>
  formsOf(schema).reduce((max, { maxItems = 0 }) => Math.max(max, maxItems), 0)

const fieldsOf = (schema: Json) => Object.entries((schema.properties ?? {}) as Record<string, Json>)

/** The JSON of an object, of that of each of its fields. */
function eachField(schema: Json, jsonOf: (field: Json) => string): string {
  const fields = fieldsOf(schema).map(([name, field]) => `${JSON.stringify(name)}:${jsonOf(field)}`)
  return `{${fields.join(',')}}`
}
