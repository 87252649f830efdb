import type { z } from 'zod'

import { type Tx, violates } from '../../platform/db/database.ts'
import { fieldError, notFound } from '../../platform/errors.ts'
import { defaultBusinessHours } from './business-hours.ts'
import { type CallFlow, targetsOf } from './call-flow.ts'
import { defaultGreeting } from './default-greeting.ts'
import { localeOf } from './locale.ts'
import { insertCallTargets, insertNumber, selectEmployeeIds, updateRegistration } from './queries.ts'
import { NumberAdd, Registration } from './schemas.ts'

/** For the operator: gives a company a number that works from the first call on. */
export async function addNumber(
  tx: Tx,
  companyId: string,
  input: z.input<typeof NumberAdd>,
): Promise<{ id: string; timezone: string; language: string }> {
  const { number, name, sms, wait_audio, incoming, ...wished } = NumberAdd.parse(input)
  const home = localeOf(number)
  const timezone = wished.timezone ?? home.timezone
  const language = wished.language ?? home.language
  const incoming_call_config = incoming ?? (await ringEverybody(tx, companyId, language))
  const id = await insertNumber(tx, {
    company_id: companyId,
    name,
    number,
    timezone,
    language,
    sms_capable: sms,
    wait_audio,
    incoming_call_config,
    outside_business_hours_config: { type: 'VoicemailConfig', greeting: defaultGreeting(language) },
    business_hours: defaultBusinessHours,
  }).catch(refusal)
  await insertCallTargets(tx, companyId, id, 'incoming_call', targetsOf(incoming_call_config)).catch(refusal)
  return { id, timezone, language }
}

async function ringEverybody(tx: Tx, companyId: string, language: string): Promise<CallFlow> {
  const employee_ids = await selectEmployeeIds(tx, companyId)
  return employee_ids.length > 0
    ? { type: 'TransferConfig', employee_ids }
    : { type: 'VoicemailConfig', greeting: defaultGreeting(language) }
}

const NOTHING_DUE = new Set(['not_required', 'approved'])

/** What is not said of the due date leaves it, until nothing is due any more. */
export async function setRegistration(
  tx: Tx,
  numberId: string,
  input: z.input<typeof Registration>,
): Promise<void> {
  const { status, due_at, reason } = Registration.parse(input)
  const found = await updateRegistration(tx, numberId, {
    status,
    dueAt: due_at ?? (NOTHING_DUE.has(status) ? null : undefined),
    reason: reason ?? null,
  })
  if (!found) throw notFound()
}

function refusal(error: unknown): never {
  if (violates(error, 'business_numbers_number')) throw fieldError('number', 'is already in use')
  if (violates(error, 'business_numbers_company_id_fkey')) throw notFound()
  if (violates(error, 'call_targets_employee'))
    throw fieldError('employee_ids', 'must be employees of the company')
  throw error
}
