import type { z } from 'zod'

import { publishToCompany } from '../../live.ts'
import { type Queryable, type Tx, violatesConstraint } from '../../platform/db/database.ts'
import { fail, fieldError, notFound } from '../../platform/errors.ts'
import type { Actor } from '../../platform/http/route.ts'
import { formatPhone } from '../../platform/text/phone.ts'
import { enqueueCallIndex } from '../calls/index.ts'
import { employeeIds } from '../employees/index.ts'
import type { FileLinks } from '../files/index.ts'
import { recordEvent } from '../webhooks/index.ts'
import type { CallFlow } from './flow/call-flow.ts'
import { defaultGreeting } from './flow/default-greeting.ts'
import { setFlow, translateFlows } from './flow/slots.ts'
import { alwaysOpen, defaultBusinessHours } from './hours/business-hours.ts'
import { localeOf } from './locale.ts'
import { presentNumber } from './present.ts'
import { audioOfNumber, enqueuePrompts, keepReadyPrompts } from './prompts/prompts.ts'
import {
  insertNumber,
  lockNumber,
  lockRegistration,
  type NumberRow,
  type RegistrationRow,
  type RegistrationStatus,
  selectNumber,
  selectNumbers,
  updateNumberRow,
  updateRegistration,
  updateEmergencyCallerId,
  updateRetired,
} from './queries.ts'
import {
  type BusinessNumber,
  type ListedNumber,
  NOTHING_DUE,
  NumberAdd,
  EmergencyCallerId,
  NumberRegistration,
  type NumberUpdate,
} from './schemas.ts'

export async function listNumbers(sql: Queryable, actor: Actor): Promise<ListedNumber[]> {
  const rows = await selectNumbers(sql, actor.companyId)
  return rows.map(({ id, name, number, retired_at }) => ({
    id,
    name,
    number,
    number_formatted: formatPhone(number),
    retired_at: retired_at ?? undefined,
  }))
}

export async function readNumber(
  sql: Queryable,
  links: FileLinks,
  actor: Actor,
  id: string,
): Promise<BusinessNumber> {
  const row = (await selectNumber(sql, actor.companyId, id)) ?? fail(notFound())
  return presentNumber(row, await audioOfNumber(sql, actor.companyId, row), links)
}

/** Changes a number, enqueues the synthesis of its prompts, and returns the whole number. */
export async function changeNumber(
  tx: Tx,
  links: FileLinks,
  actor: Actor,
  id: string,
  change: (number: NumberRow) => Promise<void>,
): Promise<BusinessNumber> {
  const before = (await lockNumber(tx, actor.companyId, id)) ?? fail(notFound())
  await keepReadyPrompts(tx, actor.companyId, before)
  await change(before)
  const changed = (await selectNumber(tx, actor.companyId, id))!
  await enqueuePrompts(tx, actor.companyId, changed)
  return presentNumber(changed, await audioOfNumber(tx, actor.companyId, changed), links)
}

export function updateNumber(tx: Tx, links: FileLinks, actor: Actor, id: string, input: NumberUpdate) {
  return changeNumber(tx, links, actor, id, async (number) => {
    await updateNumberRow(tx, actor.companyId, id, input)
    const { language = number.language } = input
    if (language === number.language) return
    await translateFlows(tx, actor.companyId, number, language)
    await enqueueCallIndex(tx, actor.companyId, id)
  })
}

/** For the operator: adds a number that works from the first call on. Clients read the list of numbers again. */
export async function addNumber(
  tx: Tx,
  companyId: string,
  input: z.input<typeof NumberAdd>,
): Promise<{ id: string; timezone: string; language: string }> {
  const { number, name, sms, wait_audio, incoming, always_open, recording, ...wished } =
    NumberAdd.parse(input)
  const home = localeOf(number)
  const timezone = wished.timezone ?? home.timezone
  const language = wished.language ?? home.language
  const closed = { type: 'VoicemailConfig', greeting: defaultGreeting(language) } as const
  const id = await insertNumber(tx, {
    company_id: companyId,
    name,
    number,
    timezone,
    language,
    sms_capable: sms,
    recording_enabled: recording,
    wait_audio,
    incoming_call_config: closed,
    outside_business_hours_config: closed,
    business_hours: always_open ? alwaysOpen : defaultBusinessHours,
  }).catch(refusal)
  const flow = incoming ?? (await ringEverybody(tx, companyId, closed))
  await setFlow(tx, companyId, { id, language }, 'incoming_call', flow)
  await enqueuePrompts(tx, companyId, (await selectNumber(tx, companyId, id))!)
  await publishToCompany(tx, companyId, { type: 'unseen_update' })
  return { id, timezone, language }
}

async function ringEverybody(tx: Tx, companyId: string, withoutEmployees: CallFlow): Promise<CallFlow> {
  const employee_ids = await employeeIds(tx, companyId)
  return employee_ids.length > 0 ? { type: 'TransferConfig', employee_ids } : withoutEmployees
}

/** For the operator. Clients read the inbox again, because a thread cannot be replied to from a retired number. */
export async function setRetired(tx: Tx, numberId: string, retired: boolean): Promise<void> {
  const companyId = (await updateRetired(tx, numberId, retired)) ?? fail(notFound())
  await publishToCompany(tx, companyId, { type: 'unseen_update' })
}

/** For the operator: what emergency services see instead of the number; null for the number itself. */
export async function setEmergencyCallerId(
  tx: Tx,
  numberId: string,
  input: z.input<typeof EmergencyCallerId>,
): Promise<void> {
  const { shown } = EmergencyCallerId.parse(input)
  if (!(await updateEmergencyCallerId(tx, numberId, shown))) throw notFound()
}

/**
 * Without a new due date the old one stays, until nothing is due any more. Only decisions of the carrier are events;
 * another reason for a rejection is another decision.
 */
export async function setRegistration(
  tx: Tx,
  numberId: string,
  input: z.input<typeof NumberRegistration>,
): Promise<void> {
  const { status, due_at, reason } = NumberRegistration.parse(input)
  const before = (await lockRegistration(tx, numberId)) ?? fail(notFound())
  const row = await updateRegistration(tx, numberId, {
    status,
    dueAt: due_at ?? (NOTHING_DUE.has(status) ? null : undefined),
    reason: reason ?? null,
  })
  await recordRegistration(tx, before, row!)
}

async function recordRegistration(
  tx: Tx,
  before: RegistrationStatus,
  { company_id: companyId, registration_reason: reason, ...main_number }: RegistrationRow,
): Promise<void> {
  const status = main_number.registration_status
  const isNew = status !== before.registration_status
  if (status === 'approved' && isNew)
    await recordEvent(tx, companyId, 'number.registration_approved', { main_number })
  if (status === 'rejected' && (isNew || reason !== before.registration_reason))
    await recordEvent(tx, companyId, 'number.registration_rejected', { main_number, reason: reason! })
}

function refusal(error: unknown): never {
  if (violatesConstraint(error, 'business_numbers_number')) throw fieldError('number', 'is already in use')
  if (violatesConstraint(error, 'business_numbers_company_id_fkey')) throw notFound()
  throw error
}
