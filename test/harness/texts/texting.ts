import { randomUUID } from 'node:crypto'

import { alwaysOpen } from '../../../server/modules/numbers/hours/business-hours.ts'
import { encodeId } from '../../../server/platform/ids.ts'
import { createSimulatorSigner } from '../../../server/providers/sms/simulator/signature.ts'
import { installationSecret } from '../../../server/wiring/secret.ts'
import { type ApiReply, send } from '../api-client.ts'
import { newNumber } from '../calls/telephony.ts'
import type { Harness, TestCompany } from '../index.ts'

/** Sends a text from a number of the company, by default to one that accepts it. */
export function sendText(
  { api }: TestCompany,
  numberId: string,
  input: { to?: string; text?: string; idempotency_key?: string } = {},
): Promise<ApiReply> {
  const body = { to: '+4520112233', text: 'Hello', idempotency_key: randomUUID(), ...input }
  return api.post(`/business_numbers/${encodeId('num', numberId)}/messages`, body)
}

/** A failed text whose retry succeeds. */
export async function newFailedMessage(company: TestCompany): Promise<string> {
  const { body } = await sendText(company, await newNumber(company, { mute: true }))
  const { id } = body as { id: string }
  const { db, companyId } = company
  for (const table of ['messages', 'message_attempts'])
    await db.sql`
      update ${db.sql(table)} set status = 'failed', failure_code = 'provider_rejected'
      where company_id = ${companyId} and status = 'accepted'`
  return id
}

/** Sends a callback as the simulated provider does. The path is relative to /webhooks/simulator. */
export async function callBack(
  { url, parts, clock }: Harness,
  path: string,
  callback: object,
  headers?: Record<string, string>,
): Promise<{ status: number; text: string; headers: Headers }> {
  const secret = await installationSecret(parts.config, parts.log)
  const body = JSON.stringify(callback)
  const response = await send(`${url}/webhooks/simulator/${path}`, {
    method: 'POST',
    body,
    headers: headers ?? createSimulatorSigner({ secret, clock }).headersFor(body),
  })
  return { status: response.status, text: await response.text(), headers: response.headers }
}

export const incoming = (to: string, values: Record<string, unknown> = {}) => ({
  type: 'message.received',
  id: randomUUID(),
  from: '+4520112233',
  to,
  text: 'Are you open?',
  received_at: '2026-11-15T08:00:00.000Z',
  ...values,
})

/** The E.164 form of a business number. */
export async function numberOf({ db }: TestCompany, numberId: string): Promise<string> {
  const [row] = await db.sql<{ number: string }[]>`select number from business_numbers where id = ${numberId}`
  return row!.number
}

/** Open all week. */
export async function setHours({ api }: TestCompany, numberId: string, hours: 'open' | 'closed') {
  const open = hours === 'open'
  const business_hours = alwaysOpen.map(({ day_of_week, opening_at, closing_at }) => ({
    day_of_week,
    open,
    opening_at,
    closing_at,
  }))
  const body = { type: 'VoicemailConfig', greeting: 'Closed', business_hours }
  const path = `/business_numbers/${encodeId('num', numberId)}/outside_business_hours_config`
  const { status } = await api.put(path, body)
  if (status !== 200) throw new Error(`the hours were not taken: ${status}`)
}
