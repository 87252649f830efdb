import { z } from 'zod'

import { isOneLine } from './text/one-line.ts'

/** Messages complete the sentence "<field> …", so that they can be shown beside the field's name. */
z.config({ customError: (issue) => phrase(issue) })

function phrase(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${article(issue.expected)}`
    case 'invalid_value':
      return `must be ${oneOf(issue.values)}`
    case 'too_small':
      return issue.origin === 'string' ? "can't be blank" : `must be at least ${issue.minimum}`
    case 'too_big':
      return tooBig(issue)
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'has a wrong format'
    case 'invalid_union':
      return Array.isArray(issue.options) ? `must be ${oneOf(issue.options)}` : undefined
    default:
      return undefined
  }
}

function tooBig({ origin, maximum }: z.core.$ZodRawIssue<z.core.$ZodIssueTooBig>): string {
  switch (origin) {
    case 'string':
      return `is too long (at most ${maximum} characters)`
    case 'array':
      return `may have at most ${maximum} entries`
    default:
      return `must be at most ${maximum}`
  }
}

const FORMATS: Record<string, string> = {
  email: 'is not an e-mail address',
  datetime: 'must be a time, such as 2026-12-31T12:00:00Z',
}

function oneOf(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(' or ')
}

function article(type: string): string {
  const noun = type === 'int' ? 'integer' : type
  return /^[aeio]/.test(noun) ? `an ${noun}` : `a ${noun}`
}

/** An ISO 8601 string on the wire, a Date inside. */
export const Timestamp = z.codec(z.iso.datetime({ offset: true }), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
})

/** A caller, sender or recipient. */
export const RemoteNumber = z.string().meta({
  description:
    'E.164. Without a phone number: `anonymous` if the caller withholds it, else the short code or name as it came.',
})

/** Twice what any time needs, with any sensible number of decimals. */
export const TIME_CHARACTERS_MAX = 64

/** A time from a client, with seconds and a full offset; ISO 8601 also allows shorter forms, and none is UTC. */
export const GivenTime = z
  .string()
  .max(TIME_CHARACTERS_MAX)
  .meta({ format: 'date-time' })
  .transform((text) =>
    text
      .replace(/^(.{10}T\d\d:\d\d)(?=[Z+-]|$)/, '$1:00')
      .replace(/^(.{10}T[\d:.]+)$/, '$1Z')
      .replace(/^(.{10}T[\d:.]+[+-]\d\d)(\d\d)?$/, (_, hours, minutes = '00') => `${hours}:${minutes}`),
  )
  .pipe(z.iso.datetime({ offset: true }))

/** Text that PostgreSQL can store: no NUL, no lone surrogates. */
export const StorableText = z.string().refine((text) => text.isWellFormed() && !text.includes('\0'), {
  error: 'contains characters that cannot be stored',
})

/** Non-blank text, trimmed. Counts code points, not UTF-16 units. */
export const requiredText = (max: number) =>
  StorableText.trim()
    .min(1)
    .refine((text) => characters(text) <= max, { error: `is too long (at most ${max} characters)` })
    .meta({ minLength: 1, maxLength: max })

/** Non-blank text that stays as it was written: of a text message, a snippet or a note. */
export const requiredBody = (max: number) =>
  StorableText.refine((text) => text.trim() !== '', { error: "can't be blank" })
    .refine((text) => characters(text) <= max, { error: `is too long (at most ${max} characters)` })
    .meta({ minLength: 1, maxLength: max })

/** The same if there is any: blank and null both mean none. */
export const optionalBody = (max: number) =>
  StorableText.refine((text) => characters(text) <= max, { error: `is too long (at most ${max} characters)` })
    .meta({ maxLength: max })
    .transform((text) => (text.trim() === '' ? null : text))
    .nullable()

/** Optional text, trimmed: blank and null both mean none. */
const optionalText = (max: number) =>
  StorableText.trim()
    .refine((text) => characters(text) <= max, { error: `is too long (at most ${max} characters)` })
    .meta({ maxLength: max })
    .transform((text) => text || null)
    .nullable()

/** For an optional field with a default, which null sets. */
export const orDefault = <S extends z.ZodType>(schema: S, value: z.output<S>) =>
  schema
    .nullable()
    .transform((given) => given ?? value)
    .meta({ description: `Null sets the default, ${JSON.stringify(value)}.` })

const NOT_ONE_LINE = {
  error: 'must be one line, without control characters or marks that change the direction of text',
}

/** NUL is left to the check of what can be stored. */
const isLine = (text: string) => isOneLine(text.replaceAll('\0', ''))

/** Names, titles and the like: they appear within our own lines, in e-mails and on other people's screens. */
export const requiredLine = (max: number) => requiredText(max).refine(isLine, NOT_ONE_LINE)

/** An optional line: blank and null both mean none. */
export const optionalLine = (max: number) =>
  optionalText(max).refine((text) => text === null || isLine(text), NOT_ONE_LINE)

function characters(text: string): number {
  let surrogatePairs = 0
  for (let i = 0; i < text.length; i++) if ((text.charCodeAt(i) & 0xfc00) === 0xd800) surrogatePairs++
  return text.length - surrogatePairs
}

const EMAIL_CHARACTERS_MAX = 320

/** RFC 5322 §3.4.1: atoms separated by dots, at a domain of several labels, the last of which is not a number. */
function emailPattern(letter: string): RegExp {
  const atom = `[${letter}\\d!#$%&'*+/=?^_\`{|}~-]+`
  const label = `[${letter}\\d](?:[${letter}\\d-]*[${letter}\\d])?`
  return new RegExp(`^${atom}(?:\\.${atom})*@(?:${label}\\.)+(?=[${letter}].)${label}$`, 'u')
}

/** ASCII only, because it is typed to sign in: browsers change the spelling of other letters. */
export const EmailAddress = StorableText.trim()
  .max(EMAIL_CHARACTERS_MAX)
  .pipe(z.email({ pattern: emailPattern('A-Za-z') }))

/** With letters of any script (RFC 6531). */
export const AnyEmailAddress = z.email({ pattern: emailPattern('\\p{L}\\p{M}') })

/** Blank and null both mean none. */
export const OptionalEmailAddress = StorableText.trim()
  .max(EMAIL_CHARACTERS_MAX)
  .transform((text) => text || null)
  .pipe(AnyEmailAddress.nullable())
  .nullable()

/** In calls and voicemails, so that a list of them need not look up every number. */
export const ContactName = z
  .string()
  .nullable()
  .meta({ description: 'The name, or else the company, of the contact with the customer’s number.' })
