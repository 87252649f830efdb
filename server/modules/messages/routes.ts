import { z } from 'zod'

import { fail, notFound } from '../../platform/errors.ts'
import { type Actor, type Route, route } from '../../platform/http/route.ts'
import { Id } from '../../platform/ids.ts'
import { findPhoneErrors, requireMessaging } from '../company/index.ts'
import { presentMessage } from './present.ts'
import { selectMessage } from './read-queries.ts'
import { Message, MessageRetry, MessageSend, RetriedMessage } from './schemas.ts'
import type { TextingParts } from './sending/attempts.ts'
import { retryMessage } from './sending/retry.ts'
import { sendText } from './sending/send.ts'

const WithMessage = z.object({ message_id: Id('msg').optional() })
const NOT_AN_EMPLOYEE = { when: 'The credential belongs to no current employee: `employee_required`.' }
const TOO_MANY = { when: 'The number has sent too many texts in a minute: `rate_limited`.' }
const OUTCOME_UNKNOWN = {
  when: 'The provider did not answer, so the text may have been sent: `provider_unavailable`.',
  body: WithMessage,
}

export const messageRoutes = (parts: TextingParts): Route[] => [
  sendRoute(parts, { path: '/business_numbers/:id/messages', name: 'send_message' }),
  sendRoute(parts, {
    path: '/main_numbers/:id/messages',
    name: 'send_main_number_message',
    deprecated: true,
  }),
  route(
    {
      method: 'GET',
      path: '/messages/:id',
      name: 'get_message',
      summary: 'Read a text',
      require: requireMessaging(parts.db),
      params: z.object({ id: Id('msg') }),
      reply: { 200: Message },
    },
    ({ actor, params }) => readMessage(parts, actor, params.id),
  ),
  route(
    {
      method: 'POST',
      path: '/messages/:message_id/retries',
      name: 'retry_message',
      summary: 'Send a text again that has definitely failed',
      require: requireMessaging(parts.db),
      params: z.object({ message_id: Id('msg') }),
      body: MessageRetry,
      example: { idempotency_key: 'order-1042-ready-again' },
      idempotent: true,
      reply: { 200: RetriedMessage },
      refusals: {
        403: NOT_AN_EMPLOYEE,
        409: { when: 'Or the text has not definitely failed: `message_not_retryable`.' },
        422: {
          when:
            'Or the number cannot send (`sending_unavailable`), the recipient has become a number of the company ' +
            '(`own_number`), or the provider refused (`provider_rejected`).',
          body: WithMessage,
        },
        429: TOO_MANY,
        502: OUTCOME_UNKNOWN,
      },
    },
    ({ actor, params, body, idempotencyKey }) =>
      retryMessage(parts, actor, params.message_id, body, idempotencyKey),
  ),
]

const sendRoute = (
  parts: TextingParts,
  naming: { path: string; name: string; deprecated?: boolean },
): Route =>
  route(
    {
      method: 'POST',
      ...naming,
      summary: 'Send a text from a business number',
      require: requireMessaging(parts.db),
      params: z.object({ id: Id('num') }),
      body: MessageSend,
      findMoreErrors: findPhoneErrors(parts.db, 'to'),
      example: { to: '+45 20 11 22 33', text: 'Your bicycle is ready.', idempotency_key: 'order-1042-ready' },
      idempotent: true,
      reply: { 201: Message },
      refusals: {
        403: NOT_AN_EMPLOYEE,
        422: {
          when:
            'Or the text cannot be sent (`sending_unavailable`, `cannot_reply`, `own_number`, `mms_not_supported`), or the provider ' +
            'refused it (`provider_rejected`). `message_id` is present if the text was stored.',
          body: WithMessage,
        },
        429: TOO_MANY,
        502: OUTCOME_UNKNOWN,
      },
    },
    ({ actor, params, body, idempotencyKey }) => sendText(parts, actor, params.id, body, idempotencyKey),
  )

async function readMessage({ db, texts }: TextingParts, actor: Actor, id: string): Promise<Message> {
  const row = (await selectMessage(db.sql, actor.companyId, id)) ?? fail(notFound())
  return presentMessage(row, texts)
}
