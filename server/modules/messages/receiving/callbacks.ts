import { z } from 'zod'

import { publishToCompany } from '../../../live.ts'
import type { FairTurns } from '../../../platform/async/fair-turns.ts'
import type { Vault } from '../../../platform/crypto/crypto.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Dependencies } from '../../../platform/dependencies.ts'
import { AppError, fail, notFound } from '../../../platform/errors.ts'
import { remoteNumberOf } from '../../../platform/text/phone.ts'
import { splitIntoSegments } from '../../../platform/text/sms-segments.ts'
import type { DeliveryReport, IncomingText, SignedRequest, SmsProvider } from '../../../providers/sms/port.ts'
import { companyCountry, lockMessagingFlag } from '../../company/index.ts'
import type { TextingNumber } from '../../numbers/index.ts'
import { publishMessage, recordMessageEvent } from '../events.ts'
import { sealedTextContext } from '../present.ts'
import { insertMessage, nextIds, selectReportedAttempt } from '../queries.ts'
import { recordProviderUpdate } from '../sending/attempts.ts'
import { orderAutoReply } from '../sending/auto-reply.ts'
import { createNumberFinder } from './number-finder.ts'

export interface CallbackParts extends Dependencies<'db' | 'clock'> {
  texts: Vault
  /** All configured providers, whichever one sends. */
  providers: SmsProvider[]
  /** Divides this process among companies. */
  turns: FairTurns
}

/**
 * Handles a callback, even if the company has texting switched off: otherwise the text would be lost. Clients and
 * webhooks learn of it only if texting is on.
 */
export type CallbackReceiver = (providerName: string, request: SignedRequest) => Promise<void>

export function createCallbackReceiver(parts: CallbackParts): CallbackReceiver {
  const findNumber = createNumberFinder(parts)
  return async (providerName, request) => {
    const provider = parts.providers.find(({ name }) => name === providerName) ?? fail(notFound())
    const callback = provider.readCallback(request) ?? fail(notSigned())
    switch (callback.kind) {
      case 'text':
        return receiveText(parts, provider, await findNumber(callback.to), callback)
      case 'report':
        return receiveReport(parts, provider, await findNumber(callback.from), {
          ...callback,
          attemptId: attemptIn(request.url),
        })
      case 'other':
        return undefined
      case 'malformed':
        throw malformed()
    }
  }
}

function receiveText(
  parts: CallbackParts,
  provider: SmsProvider,
  number: TextingNumber,
  text: IncomingText,
): Promise<void> {
  return parts.turns.run(number.companyId, async () => {
    const from = remoteNumberOf(text.from, await companyCountry(parts.db.sql, number.companyId))
    await parts.db.tx((tx) => storeIncoming(tx, parts, provider, number, { ...text, from }))
  })
}

/** The row itself prevents duplicates: as long as it exists, the same text is not stored again. */
async function storeIncoming(
  tx: Tx,
  { clock, texts }: CallbackParts,
  { name: provider }: SmsProvider,
  number: TextingNumber,
  { providerMessageId, from, text, receivedAt, parts }: IncomingText,
): Promise<void> {
  const { companyId } = number
  const { messageId } = await nextIds(tx)
  const counted = splitIntoSegments(text)
  const stored = await insertMessage(tx, {
    company_id: companyId,
    id: messageId,
    business_number_id: number.id,
    direction: 'inbound',
    remote_number: from,
    author: 'customer',
    text_sealed: texts.seal(text, sealedTextContext(companyId, messageId)),
    status: 'received',
    sms_count: parts ?? counted.parts,
    encoding: counted.encoding,
    provider,
    provider_message_id: providerMessageId,
    received_at: receivedAt,
  })
  if (!stored || !(await lockMessagingFlag(tx, companyId))) return
  await publishMessage(tx, companyId, { id: messageId, remoteNumber: from })
  await publishToCompany(tx, companyId, { type: 'unseen_update' })
  await recordMessageEvent(tx, texts, 'message.received', companyId, messageId)
  await orderAutoReply(tx, clock, number, { messageId, from })
}

function receiveReport(
  parts: CallbackParts,
  { name: provider }: SmsProvider,
  { companyId, id: numberId }: TextingNumber,
  { to, attemptId, ...news }: DeliveryReport & { attemptId: string | undefined },
): Promise<void> {
  const { providerMessageId } = news
  const reported = { companyId, numberId, remoteNumber: to, provider, providerMessageId, attemptId }
  return parts.turns.run(companyId, async () => {
    const found = (await selectReportedAttempt(parts.db.sql, reported)) ?? fail(notFound())
    await parts.db.tx((tx) => recordProviderUpdate(tx, parts, companyId, found, news))
  })
}

/** From the URL that we gave the provider. */
function attemptIn(url: string): string | undefined {
  return z.uuid().safeParse(new URL(url).searchParams.get('attempt')).data
}

const notSigned = () =>
  new AppError({
    status: 401,
    code: 'invalid_signature',
    message: 'The signature is not that of the provider.',
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  })

const malformed = () =>
  new AppError({
    status: 422,
    code: 'invalid_callback',
    message: 'The body is not a callback of the provider.',
  })
