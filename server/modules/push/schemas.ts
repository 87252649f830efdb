import { z } from 'zod'

import { AUTH_BYTES, isPoint, POINT_BYTES } from '../../platform/crypto/web-push/encryption.ts'
import { type Language, PAGE_LANGUAGES } from '../../platform/http/viewer-preferences.ts'
import { Id } from '../../platform/ids.ts'
import { requiredLine } from '../../platform/schemas.ts'
import { PUSH_LIMITS } from './limits.ts'

export const PushSettings = z
  .object({
    public_key: z.string().meta({
      description: 'The `applicationServerKey` that browsers subscribe with (RFC 8292), base64url.',
    }),
  })
  .meta({ id: 'PushSettings' })

export const PushSubscription = z.object({ id: Id('sub') }).meta({ id: 'PushSubscription' })

/** The base64 of a URL, without padding, as `PushSubscription.toJSON()` gives it. */
const bytes = (length: number, isValid: (decoded: Buffer) => boolean) =>
  z
    .string()
    .max(Math.ceil((length * 4) / 3))
    .refine((text) => isValid(Buffer.from(text, 'base64url')), { error: 'is not such a key' })

export const PushSubscriptionCreate = z.object({
  endpoint: requiredLine(PUSH_LIMITS.endpointCharacters).meta({
    description: 'The https address at which the push service of the browser takes messages.',
  }),
  p256dh: bytes(POINT_BYTES, isPoint).meta({
    description: 'The public key of the browser (RFC 8291), base64url.',
  }),
  auth: bytes(AUTH_BYTES, ({ length }) => length === AUTH_BYTES).meta({
    description: 'The secret that the browser shares with the sender, base64url.',
  }),
  language: z
    .enum(Object.keys(PAGE_LANGUAGES) as [Language, ...Language[]])
    .default('en')
    .meta({ description: 'The language in which the browser shows calls.' }),
})
export type PushSubscriptionCreate = z.output<typeof PushSubscriptionCreate>
