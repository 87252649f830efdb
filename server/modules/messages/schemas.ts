import { z } from 'zod'

import { Id } from '../../platform/ids.ts'
import { RemoteNumber, requiredBody, StorableText } from '../../platform/schemas.ts'
import { MESSAGE_LIMITS } from './limits.ts'
import { IdempotencyKeyField } from './sending/idempotency-keys.ts'

export const MESSAGE_STATUSES = ['queued', 'accepted', 'delivered', 'failed', 'unknown', 'received'] as const
export type MessageStatus = (typeof MESSAGE_STATUSES)[number]

/** With microseconds, which a Date does not have, so it stays a string. */
export const MicroTimestamp = z.iso.datetime({ precision: 6 })

const Author = z.object({
  type: z.enum(['customer', 'employee', 'automation']),
  id: Id('emp').optional().meta({ description: 'Of an employee, while they exist.' }),
  name: z.string().optional(),
})

export const Message = z
  .object({
    id: Id('msg'),
    type: z.literal('message'),
    format: z.literal('sms'),
    created_at: MicroTimestamp,
    business_number_id: Id('num'),
    business_number_name: z.string().nullable(),
    seen_at: MicroTimestamp.nullable(),
    direction: z.enum(['inbound', 'outbound']),
    from: RemoteNumber,
    to: z.string().meta({ description: 'E.164.' }),
    text: z.string(),
    author: Author,
    status: z
      .enum(MESSAGE_STATUSES)
      .meta({ description: 'Accepted is not yet delivered; unknown includes that the provider timed out.' }),
    sms_count: z.int().nullable().meta({ description: 'Chargeable parts.' }),
    encoding: z.enum(['gsm7', 'ucs2']).nullable(),
    received_at: MicroTimestamp.nullable(),
    delivered_at: MicroTimestamp.nullable(),
    failure_code: z.string().nullable(),
    can_retry: z.boolean(),
  })
  .meta({ id: 'Message' })
export type Message = z.output<typeof Message>

export const MessageSend = z.object({
  to: StorableText.trim().min(1).max(MESSAGE_LIMITS.recipientCharacters).meta({
    description:
      'E.164, or as the country of the company writes it. A sender without a number cannot be answered, and neither can a number of the company itself.',
  }),
  text: requiredBody(MESSAGE_LIMITS.textCharacters).meta({ description: 'What the customer reads.' }),
  format: z.enum(['sms', 'mms']).nullish().meta({ description: 'Only sms can be sent.', default: 'sms' }),
  idempotency_key: IdempotencyKeyField,
})
export type MessageSend = z.output<typeof MessageSend>

export const MessageRetry = z.object({ idempotency_key: IdempotencyKeyField })
export type MessageRetry = z.output<typeof MessageRetry>

export const RetriedMessage = Message.pick({
  id: true,
  type: true,
  format: true,
  status: true,
  can_retry: true,
}).meta({ id: 'RetriedMessage' })
export type RetriedMessage = z.output<typeof RetriedMessage>
