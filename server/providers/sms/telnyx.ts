import { createPublicKey, type KeyObject, verify } from 'node:crypto'

import { z } from 'zod'

import type { Clock } from '../../platform/clock.ts'
import { parseJson } from '../../platform/text/parse-json.ts'
import { ADDRESS_CHARACTERS_MAX, type Callback, type SignedRequest, type SmsProvider } from './port.ts'
import { createSmsAgent, numericCode, postToProvider } from './post-to-provider.ts'
import { header, isRecent } from './signed-request.ts'

export interface TelnyxOptions {
  url: string
  apiKey: string
  /** Base64, as in the portal. */
  publicKey: string
  clock: Clock
  answerMs: number
}

export function telnyx({ url, apiKey, publicKey, clock, answerMs }: TelnyxOptions): SmsProvider {
  const agent = createSmsAgent()
  const key = ed25519Key(publicKey)
  return {
    name: 'telnyx',
    send: ({ from, to, text, statusUrl }) =>
      postToProvider(
        { agent, clock, answerMs },
        {
          url: `${url}/v2/messages`,
          headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
          body: JSON.stringify({
            from,
            to,
            text,
            type: 'SMS',
            webhook_url: statusUrl,
            use_profile_webhooks: false,
          }),
        },
        {
          provider: 'telnyx',
          Accepted: z.object({ data: z.object({ id: z.string(), parts: Parts }) }),
          accepted: ({ data }) => ({ providerMessageId: data.id, parts: data.parts }),
          Refused: z.object({ errors: z.array(z.object({ code: z.union([z.string(), z.number()]) })) }),
          refusal: ({ errors }) => errors[0]?.code,
        },
      ),
    readCallback: (request) => (isSigned(request, key, clock) ? read(request.body) : undefined),
    close: () => agent.destroy(),
  }
}

/** RFC 8410: the DER prefix of the 32 bytes of a key. */
const DER_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')

function ed25519Key(base64: string): KeyObject {
  return createPublicKey({
    key: Buffer.concat([DER_PREFIX, Buffer.from(base64, 'base64')]),
    format: 'der',
    type: 'spki',
  })
}

function isSigned(request: SignedRequest, key: KeyObject, clock: Clock): boolean {
  const timestamp = header(request, 'telnyx-timestamp')
  const signature = Buffer.from(header(request, 'telnyx-signature-ed25519'), 'base64')
  const signed = Buffer.concat([Buffer.from(`${timestamp}|`), request.body])
  return isRecent(timestamp, clock) && verify(null, signed, key, signature)
}

const Parts = z.int().min(1).max(1_000).nullable().catch(null)
const Address = z.string().trim().min(1).max(ADDRESS_CHARACTERS_MAX)
const Time = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text))
  .nullable()
  .catch(null)

const Event = z.object({
  data: z.object({
    event_type: z.string(),
    occurred_at: Time,
    payload: z.unknown(),
  }),
})

const Payload = z.object({
  id: z.string().min(1).max(128),
  from: z.object({ phone_number: Address }),
  to: z.array(z.object({ phone_number: Address, status: z.string().optional() })).min(1),
  text: z.string().nullish(),
  parts: Parts,
  received_at: Time,
  completed_at: Time,
  errors: z
    .array(z.object({ code: z.union([z.string(), z.number()]) }))
    .nullish()
    .catch(null),
})

const STATUSES: Record<string, 'accepted' | 'delivered' | 'failed'> = {
  queued: 'accepted',
  sending: 'accepted',
  sent: 'accepted',
  delivered: 'delivered',
  sending_failed: 'failed',
  delivery_failed: 'failed',
}

function read(body: Buffer): Callback {
  const event = Event.safeParse(parseJson(body.toString('utf8'))).data
  if (!event) return { kind: 'malformed' }
  const { event_type, occurred_at } = event.data
  if (!/^message\.(received|sent|finalized)$/.test(event_type)) return { kind: 'other' }
  const parsed = Payload.safeParse(event.data.payload)
  if (!parsed.success) return { kind: 'malformed' }
  const { id, from, to, text, parts, received_at, completed_at, errors } = parsed.data
  const shared = { providerMessageId: id, from: from.phone_number, to: to[0]!.phone_number, parts }
  if (event_type === 'message.received')
    return { kind: 'text', ...shared, text: text ?? '', receivedAt: received_at ?? occurred_at }
  const status = STATUSES[to[0]!.status ?? ''] ?? 'unknown'
  const failureCode = status === 'failed' ? numericCode('telnyx', errors?.[0]?.code) : null
  return { kind: 'report', ...shared, status, failureCode, at: completed_at ?? occurred_at }
}
