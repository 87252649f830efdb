import { z } from 'zod'

import { requiredText, Timestamp } from '../../platform/schemas.ts'
import { canSpeak } from '../../speech/port.ts'
import { CallFlow } from './call-flow.ts'
import { isCityTimezone } from './locale.ts'

export const WAIT_AUDIO = ['ringtone', 'music'] as const
export const REGISTRATION_STATUSES = [
  'not_required',
  'pending',
  'submitted',
  'approved',
  'rejected',
  'failed',
] as const

export const NumberName = requiredText(128).regex(/^[A-Za-z0-9 _~!.+-]+$/, {
  error: 'may have ASCII letters, digits, spaces and -_~!.+ only',
})
export const Timezone = z
  .string()
  .refine(isCityTimezone, { error: 'must be an IANA timezone of a city, such as Europe/Copenhagen' })
export const Language = z
  .string()
  .refine(canSpeak, { error: 'must be the code of a language that can be spoken, such as da' })

export const NumberAdd = z.object({
  number: z.string().regex(/^\+[1-9]\d{6,14}$/, { error: 'must be a number in E.164, such as +4570123456' }),
  name: NumberName,
  timezone: Timezone.optional(),
  language: Language.optional(),
  sms: z.boolean().default(false),
  wait_audio: z.enum(WAIT_AUDIO).default('ringtone'),
  incoming: CallFlow.optional(),
})

export const Registration = z.object({
  status: z.enum(REGISTRATION_STATUSES),
  due_at: Timestamp.optional(),
  reason: requiredText(1_000).optional(),
})
