import { createHmac } from 'node:crypto'

import { z } from 'zod'

import type { Clock } from '../../platform/clock.ts'
import { sameBytes } from '../../platform/crypto/crypto.ts'
import { ADDRESS_CHARACTERS_MAX, type Callback, type SignedRequest, type SmsProvider } from './port.ts'
import { createSmsAgent, numericCode, postToProvider } from './post-to-provider.ts'
import { header } from './signed-request.ts'

export interface TwilioOptions {
  url: string
  accountSid: string
  authToken: string
  clock: Clock
  answerMs: number
}

export function twilio({ url, accountSid, authToken, clock, answerMs }: TwilioOptions): SmsProvider {
  const agent = createSmsAgent()
  const credential = Buffer.from(`${accountSid}:${authToken}`).toString('base64')
  return {
    name: 'twilio',
    send: ({ from, to, text, statusUrl }) =>
      postToProvider(
        { agent, clock, answerMs },
        {
          url: `${url}/2010-04-01/Accounts/${accountSid}/Messages.json`,
          headers: {
            'content-type': 'application/x-www-form-urlencoded',
            authorization: `Basic ${credential}`,
          },
          body: new URLSearchParams({
            From: from,
            To: to,
            Body: text,
            StatusCallback: statusUrl,
          }).toString(),
        },
        {
          provider: 'twilio',
          Accepted: z.object({ sid: z.string(), num_segments: Segments }),
          accepted: ({ sid, num_segments }) => ({ providerMessageId: sid, parts: num_segments }),
          Refused: z.object({ code: z.number() }),
          refusal: ({ code }) => code,
        },
      ),
    readCallback: (request) => {
      const text = request.body.toString('utf8')
      // Checked before the signature, so anybody can cause this work.
      if (text.split('&', FIELDS_MAX + 1).length > FIELDS_MAX) return undefined
      const form = new URLSearchParams(text)
      return isSigned(request, form, authToken) ? read(Object.fromEntries(form)) : undefined
    },
    close: () => agent.destroy(),
  }
}

/** Three times as many as a text with ten pictures has. */
const FIELDS_MAX = 200

/** The URL and all fields sorted by name; a field with several values appears once for each. */
function isSigned(request: SignedRequest, form: URLSearchParams, authToken: string): boolean {
  const names = [...new Set(form.keys())].toSorted()
  const fields = names.flatMap((name) =>
    [...new Set(form.getAll(name))].toSorted().map((value) => name + value),
  )
  const expected = createHmac('sha1', authToken)
    .update(request.url + fields.join(''))
    .digest()
  return sameBytes(Buffer.from(header(request, 'x-twilio-signature'), 'base64'), expected)
}

/** Sometimes zero, which means not counted yet. */
const Segments = z
  .string()
  .regex(/^[1-9]\d{0,2}$/)
  .transform(Number)
  .nullable()
  .catch(null)
const Address = z.string().trim().min(1).max(ADDRESS_CHARACTERS_MAX)

const Fields = z.object({
  MessageSid: z.string().min(1).max(128),
  From: Address,
  To: Address,
  Body: z.string().optional(),
  NumSegments: Segments,
  MessageStatus: z.string().optional(),
  ErrorCode: z.string().optional(),
})

const STATUSES: Record<string, 'accepted' | 'delivered' | 'failed'> = {
  accepted: 'accepted',
  scheduled: 'accepted',
  queued: 'accepted',
  sending: 'accepted',
  sent: 'accepted',
  delivered: 'delivered',
  read: 'delivered',
  undelivered: 'failed',
  failed: 'failed',
  canceled: 'failed',
}

function read(form: Record<string, string>): Callback {
  const parsed = Fields.safeParse(form)
  if (!parsed.success) return { kind: 'malformed' }
  const { MessageSid, From, To, Body, NumSegments, MessageStatus, ErrorCode } = parsed.data
  const shared = { providerMessageId: MessageSid, from: From, to: To, parts: NumSegments }
  if (MessageStatus === undefined || MessageStatus === 'received')
    return { kind: 'text', ...shared, text: Body ?? '', receivedAt: null }
  const status = STATUSES[MessageStatus] ?? 'unknown'
  const failureCode = status === 'failed' ? numericCode('twilio', ErrorCode) : null
  return { kind: 'report', ...shared, status, failureCode, at: null }
}
