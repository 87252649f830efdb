import { z } from 'zod'

import { EVENT_NAMES, OLDER_EVENT_NAMES } from '../../events.ts'
import { Id } from '../../platform/ids.ts'
import { orDefault, requiredLine, Timestamp } from '../../platform/schemas.ts'
import { WEBHOOK_LIMITS } from './limits.ts'

const names = [
  ...EVENT_NAMES,
  ...(Object.keys(OLDER_EVENT_NAMES) as (keyof typeof OLDER_EVENT_NAMES)[]),
] as const
const currentName = (name: string) => (OLDER_EVENT_NAMES as Record<string, string>)[name] ?? name
const EventName = z.enum(names, { error: 'is not the name of an event' })

export const Subscription = z
  .object({
    id: Id('web'),
    name: z.string(),
    url: z.string(),
    events: z.array(z.string()),
    active: z.boolean(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Webhook' })
export type Subscription = z.output<typeof Subscription>

export const SubscriptionWithSecret = Subscription.extend({
  signing_secret: z.string().meta({ description: 'Verifies deliveries. Shown in this answer only.' }),
}).meta({ id: 'WebhookWithSecret' })
export type SubscriptionWithSecret = z.output<typeof SubscriptionWithSecret>

const Events = z
  .array(EventName)
  .min(1, { error: 'must name at least one event' })
  .max(WEBHOOK_LIMITS.events)
  .refine((events) => new Set(events.map(currentName)).size === events.length, {
    error: 'must not name an event twice',
  })
  .meta({ description: 'The events to send.' })

const Active = orDefault(z.boolean(), true)

export const SubscriptionCreate = z.object({
  name: requiredLine(WEBHOOK_LIMITS.nameCharacters).meta({ description: 'By which employees know it.' }),
  url: requiredLine(WEBHOOK_LIMITS.urlCharacters).meta({
    description: 'The public https address that receives the events.',
  }),
  events: Events,
  active: Active.default(true).meta({ description: 'False to begin paused.' }),
})
export type SubscriptionCreate = z.output<typeof SubscriptionCreate>

export const SubscriptionUpdate = SubscriptionCreate.extend({
  active: Active.meta({ description: 'False to pause it.' }),
}).partial()
export type SubscriptionUpdate = z.output<typeof SubscriptionUpdate>

const DELIVERY_PAGE = { default: 50, max: 100 }

export const Delivery = z
  .object({
    id: Id('del').meta({ description: 'Sent as webhook-id; the same on every attempt.' }),
    event: z.string(),
    status: z.enum(['pending', 'succeeded', 'failed']),
    created_at: Timestamp,
    next_attempt_at: Timestamp.nullable(),
    attempts: z.array(
      z.object({
        at: z.string(),
        status_code: z.int().nullable().meta({ description: 'Null when no answer came.' }),
        outcome: z.string().meta({
          description: 'delivered, refused, timeout, dns, private_address, tls, insecure or connection.',
        }),
        duration_ms: z.int(),
      }),
    ),
  })
  .meta({ id: 'WebhookDelivery' })
export type Delivery = z.output<typeof Delivery>

export const DeliveryPage = z
  .object({
    deliveries: z.array(Delivery),
    next_cursor: z.string().nullable().meta({ description: 'Null on the last page.' }),
  })
  .meta({ id: 'WebhookDeliveryPage' })
export type DeliveryPage = z.output<typeof DeliveryPage>

export const DeliveryPageQuery = z.object({
  cursor: Id('del').optional().meta({ description: 'next_cursor of the page before.' }),
  limit: z.coerce
    .number({ error: 'must be an integer' })
    .int()
    .transform((wished) => Math.min(Math.max(wished, 1), DELIVERY_PAGE.max))
    .default(DELIVERY_PAGE.default)
    .meta({ description: `1 to ${DELIVERY_PAGE.max}, ${DELIVERY_PAGE.default} if not given.` }),
})
export type DeliveryPageQuery = z.output<typeof DeliveryPageQuery>
