import { z } from 'zod'

import { EVENT_NAMES, OLDER_EVENT_NAMES } from '../../events.ts'
import { Id } from '../../platform/ids.ts'
import { requiredText, Timestamp } from '../../platform/schemas.ts'

const LIMITS = { nameCharacters: 255, urlCharacters: 2_000 }

const names = [
  ...EVENT_NAMES,
  ...(Object.keys(OLDER_EVENT_NAMES) as (keyof typeof OLDER_EVENT_NAMES)[]),
] as const
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
  .refine((events) => new Set(events).size === events.length, { error: 'must not name an event twice' })

export const SubscriptionCreate = z.object({
  name: requiredText(LIMITS.nameCharacters),
  url: requiredText(LIMITS.urlCharacters),
  events: Events,
})
export type SubscriptionCreate = z.output<typeof SubscriptionCreate>

export const SubscriptionUpdate = SubscriptionCreate.extend({ active: z.boolean() }).partial()
export type SubscriptionUpdate = z.output<typeof SubscriptionUpdate>
