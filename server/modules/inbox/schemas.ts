import { z } from 'zod'

import { Id } from '../../platform/ids.ts'
import { GivenTime, RemoteNumber, StorableText, Timestamp } from '../../platform/schemas.ts'
import { CALL_STATES, DIRECTIONS, WrapUp } from '../calls/index.ts'
import { Message, MESSAGE_STATUSES, MicroTimestamp } from '../messages/index.ts'
import { INBOX_LIMITS } from './limits.ts'
import { toMicros } from './micros.ts'

const direction = z.enum(DIRECTIONS)

export const ContactReference = z
  .object({
    id: Id('con'),
    name: z.string().nullable(),
    phone: z.string(),
    phone_formatted: z.string(),
    email: z.string().nullable(),
    company_name: z.string().nullable(),
    note: z.string().nullable(),
  })
  .meta({ id: 'ContactReference' })
export type ContactReference = z.output<typeof ContactReference>

const latest = { business_number_id: Id('num'), direction }
const LatestItem = z.union([
  z.object({ id: Id('cal'), type: z.literal('call'), ...latest, missed: z.boolean() }),
  z.object({ id: Id('voi'), type: z.literal('voicemail'), ...latest }),
  z.object({
    id: Id('msg'),
    type: z.literal('message'),
    ...latest,
    format: z.literal('sms'),
    status: z.enum(MESSAGE_STATUSES),
  }),
])
export type LatestItem = z.output<typeof LatestItem>

export const Thread = z
  .object({
    phone_number: RemoteNumber,
    contact: ContactReference.nullable(),
    last_activity_at: Timestamp,
    unseen_count: z.int(),
    business_number_ids: z.array(Id('num')).meta({ description: 'The one with the newest activity first.' }),
    reply_business_number_id: Id('num').nullable().meta({
      description:
        'The number of the latest item, if it can send texts; null for a thread without a phone number.',
    }),
    preview: z.string().meta({ description: 'At most 160 characters of the latest item.' }),
    latest_item: LatestItem,
  })
  .meta({ id: 'InboxThread' })
export type Thread = z.output<typeof Thread>

const common = {
  created_at: Timestamp,
  business_number_id: Id('num'),
  business_number_name: z.string(),
  seen_at: Timestamp.nullable().meta({ description: 'When somebody of the team saw it.' }),
  from: RemoteNumber,
}

export const CallItem = z
  .object({
    id: Id('cal'),
    type: z.literal('call'),
    ...common,
    direction,
    to: RemoteNumber,
    duration: z.int().nullable().meta({ description: 'Seconds; null while in progress.' }),
    state: z.enum(CALL_STATES),
    missed: z.boolean(),
    summary: z.string().nullable(),
    employee: z.object({ id: Id('emp'), name: z.string() }).nullable(),
    has_transcription: z.boolean(),
    wrap_up: WrapUp.nullable(),
  })
  .meta({ id: 'CallItem' })
export type CallItem = z.output<typeof CallItem>

export const VoicemailItem = z
  .object({
    id: Id('voi'),
    type: z.literal('voicemail'),
    ...common,
    direction: z.literal('inbound'),
    duration: z.int().nullable().meta({ description: 'Seconds; null where it is not known.' }),
    transcription: z.string().nullable(),
    recording_url: z
      .string()
      .nullable()
      .meta({ description: 'A signed URL, new in each response; it expires.' }),
    listened: z.boolean(),
    call_id: Id('cal').nullable().meta({ description: 'The call that it was left in, and replaces here.' }),
  })
  .meta({ id: 'VoicemailItem' })
export type VoicemailItem = z.output<typeof VoicemailItem>

/** Every item has a duration; that of a text is null. */
export const MessageItem = Message.extend({ duration: z.null() }).meta({ id: 'MessageItem' })

export const ActivityItem = z.union([CallItem, VoicemailItem, MessageItem])
export type ActivityItem = z.output<typeof ActivityItem>

export const ThreadPage = z.object({ threads: z.array(Thread), next_cursor: z.string().nullable() })
export type ThreadPage = z.output<typeof ThreadPage>

export const ActivityPage = z.object({
  phone_number: RemoteNumber,
  contact: ContactReference.nullable(),
  items: z.array(ActivityItem),
  next_cursor: z.string().nullable(),
  observed_at: MicroTimestamp.meta({
    description: 'To be sent back, unchanged, to mark all of this as seen.',
  }),
})
export type ActivityPage = z.output<typeof ActivityPage>

export const UnseenCounts = z.object({
  total: z.int().meta({ description: 'The sum of all numbers.' }),
  main_numbers: z.array(
    z.object({
      id: Id('num'),
      name: z.string(),
      unseen_count: z.int().meta({ description: 'People with something unseen.' }),
    }),
  ),
})
export type UnseenCounts = z.output<typeof UnseenCounts>

/** Anything but an integer is refused; a value out of range becomes the nearest one. */
const PageLimit = z
  .string()
  .refine((text) => /^[+-]?\d+$/.test(text), { error: 'must be an integer' })
  .optional()
  .transform((text) =>
    text === undefined ? INBOX_LIMITS.pageDefault : Math.min(Math.max(Number(text), 1), INBOX_LIMITS.pageMax),
  )
  .meta({
    type: 'integer',
    description: `1 to ${INBOX_LIMITS.pageMax}, ${INBOX_LIMITS.pageDefault} if not given.`,
  })

/** Decoded later: one that cannot be an id is not found, like an unknown one. */
const NumberId = StorableText.max(INBOX_LIMITS.phoneCharacters).meta({
  description: 'Only what passed with this business number.',
})
const PhoneText = StorableText.max(INBOX_LIMITS.phoneCharacters).meta({
  description: 'Only calls with this external number.',
})

const paging = {
  business_number_id: NumberId.optional(),
  limit: PageLimit,
  cursor: z
    .string()
    .max(INBOX_LIMITS.cursorCharacters)
    .optional()
    .meta({ description: 'next_cursor of the page before.' }),
}

export const ThreadFilter = z.object({
  ...paging,
  query: StorableText.trim()
    .max(INBOX_LIMITS.queryCharacters)
    .optional()
    .meta({ description: 'Part of what is known of a contact, or of a phone number.' }),
  unseen: z
    .string()
    .refine((text) => text === 'true' || text === 'false', { error: 'must be "true" or "false"' })
    .optional()
    .meta({ type: 'boolean', description: 'Only threads with something unseen.' }),
})
export type ThreadFilter = z.output<typeof ThreadFilter>

export const ActivityFilter = z.object(paging)
export type ActivityFilter = z.output<typeof ActivityFilter>

/** A time with its microseconds: two items may be closer than a Date can tell. */
export const Boundary = GivenTime.transform(toMicros).meta({
  description: 'Up to this time; observed_at of the activity that was read.',
})

/** Some bodies use null for none. */
const maybe = <S extends z.ZodType>(schema: S) => schema.nullish().transform((value) => value ?? undefined)

export const Seen = z.object({ through: Boundary, business_number_id: maybe(NumberId) })
export type Seen = z.output<typeof Seen>

export const CallsSeen = z.object({
  phone_number: maybe(PhoneText),
  main_number_id: maybe(NumberId),
  through: maybe(Boundary),
})
export type CallsSeen = z.output<typeof CallsSeen>
