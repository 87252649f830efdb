import { randomUUID } from 'node:crypto'

import { encodeId } from '../../server/platform/ids.ts'
import type { Answer } from './api-client.ts'
import type { TestCompany } from './index.ts'
import { newNumber } from './telephony.ts'

/** Sends a text from a number of the company, by default to one that takes it. */
export function sendText(
  { api }: TestCompany,
  numberId: string,
  input: { to?: string; text?: string; idempotency_key?: string } = {},
): Promise<Answer> {
  const body = { to: '+4520112233', text: 'Hello', idempotency_key: randomUUID(), ...input }
  return api.post(`/business_numbers/${encodeId('num', numberId)}/messages`, body)
}

/** A text that can be retried, and then goes through. */
export async function newFailedMessage(company: TestCompany): Promise<string> {
  const { body } = await sendText(company, await newNumber(company))
  const { id } = body as { id: string }
  const { db, companyId } = company
  for (const table of ['messages', 'message_attempts'])
    await db.sql`
      update ${db.sql(table)} set status = 'failed', failure_code = 'provider_rejected'
      where company_id = ${companyId} and status = 'accepted'`
  return id
}
