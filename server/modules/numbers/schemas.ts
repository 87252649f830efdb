import { z } from 'zod'

import { Id } from '../../platform/ids.ts'
import { orDefault, requiredText, Timestamp } from '../../platform/schemas.ts'
import { canSpeak } from '../../speech/port.ts'
import { CallFlow, ReadableFlow } from './flow/call-flow.ts'
import { isCityTimezone } from './locale.ts'

const WAIT_AUDIO = ['ringtone', 'music'] as const
const DEFAULT_WAIT_AUDIO = 'ringtone'
export const REGISTRATION_STATUSES = [
  'not_required',
  'pending',
  'submitted',
  'approved',
  'rejected',
  'failed',
] as const

const NumberName = requiredText(128).regex(/^[A-Za-z0-9 _~!.+-]*$/, {
  error: 'may have ASCII letters, digits, spaces and -_~!.+ only',
})
const LOCALE_CHARACTERS_MAX = 64
const Timezone = z
  .string()
  .max(LOCALE_CHARACTERS_MAX)
  .refine(isCityTimezone, { error: 'must be an IANA timezone of a city, such as Europe/Copenhagen' })
const Language = z
  .string()
  .max(LOCALE_CHARACTERS_MAX)
  .refine(canSpeak, { error: 'must be the code of a language that can be spoken, such as da' })

const E164 = z
  .string()
  .regex(/^\+[1-9]\d{6,14}$/, { error: 'must be a number in E.164, such as +4570123456' })

export const NumberAdd = z.object({
  number: E164,
  name: NumberName,
  timezone: Timezone.optional(),
  language: Language.optional(),
  sms: z.boolean().default(false),
  wait_audio: z.enum(WAIT_AUDIO).default(DEFAULT_WAIT_AUDIO),
  incoming: CallFlow.optional(),
  /** Instead of the default hours. */
  always_open: z.boolean().default(false),
  /** Whether calls are recorded. */
  recording: z.boolean().default(false),
})

/** No registration has to be completed any more. */
export const NOTHING_DUE: ReadonlySet<string> = new Set(['not_required', 'approved'])

/** What emergency services see; null for the number itself. */
export const EmergencyCallerId = z.object({ shown: E164.nullable() })

export const NumberRegistration = z
  .object({
    status: z.enum(REGISTRATION_STATUSES),
    due_at: Timestamp.optional(),
    reason: requiredText(1_000).optional(),
  })
  .refine(({ status, reason }) => status !== 'rejected' || reason !== undefined, {
    path: ['reason'],
    error: 'is required when the status is rejected',
  })
  .superRefine(({ status, due_at }, { addIssue }) => {
    if (due_at && NOTHING_DUE.has(status))
      addIssue({ code: 'custom', path: ['due_at'], message: `does not apply when the status is ${status}` })
  })

export const NumberUpdate = z
  .object({
    name: NumberName.meta({ description: 'By which employees know the number.' }),
    timezone: Timezone.meta({ description: 'An IANA timezone of a city, such as Europe/Copenhagen.' }),
    language: Language.meta({ description: 'The language of its prompts and callers, such as da.' }),
    recording_enabled: z.boolean().meta({ description: 'Whether calls are recorded.' }),
    wait_audio: orDefault(z.enum(WAIT_AUDIO), DEFAULT_WAIT_AUDIO).meta({
      description: 'What callers hear while they wait.',
    }),
  })
  .partial()
export type NumberUpdate = z.output<typeof NumberUpdate>

const Capability = z.object({ can_send: z.boolean(), can_receive: z.boolean() })

export const BusinessNumber = z
  .object({
    id: Id('num'),
    name: z.string(),
    number: z.string().meta({ description: 'E.164.' }),
    number_formatted: z.string(),
    timezone: z.string(),
    language: z.string(),
    recording_enabled: z.boolean(),
    incoming_call_config: ReadableFlow,
    outside_business_hours_config: ReadableFlow.nullable(),
    no_answer_config: ReadableFlow.nullable(),
    no_answer_timeout_secs: z.int().nullable(),
    wait_audio: z.enum(WAIT_AUDIO),
    registration_status: z.enum(REGISTRATION_STATUSES),
    registration_due_at: Timestamp.nullable(),
    retired_at: Timestamp.nullable().meta({
      description: 'Since when the number is out of service: it takes no calls and texts.',
    }),
    business_hours: z.array(
      z.object({
        day_of_week: z.int(),
        day_name: z.string(),
        open: z.boolean(),
        opening_at: z.string(),
        closing_at: z.string(),
      }),
    ),
    messaging: z.object({ sms: Capability, mms: Capability }),
  })
  .meta({ id: 'BusinessNumber' })
export type BusinessNumber = z.output<typeof BusinessNumber>

export const ListedNumber = z.object({
  id: Id('num'),
  name: z.string(),
  number: z.string(),
  number_formatted: z.string(),
  retired_at: Timestamp.optional().meta({ description: 'Only of a number that is out of service.' }),
})
export type ListedNumber = z.output<typeof ListedNumber>
