import type { Queryable, Tx } from '../../platform/db/database.ts'
import { firstRow } from '../../platform/db/rows.ts'
import type { Actor } from '../../platform/http/route.ts'
import { hasTakenCalls } from '../calls/index.ts'
import { companyCreatedAt, companyMayText } from '../company/index.ts'
import { hasConnectedPhone } from '../devices/index.ts'
import { hasColleagues } from '../employees/index.ts'
import { hasReceivedTexts } from '../messages/index.ts'
import { hasNumbersSince, numberToTry } from '../numbers/index.ts'
import type { OnboardingStep } from './schemas.ts'

export interface OnboardingRow extends Record<OnboardingStep, boolean> {
  dismissed: boolean
  may_text: boolean
  number: string | null
  number_for_texts: string | null
}

/** What came with the company, as the demo's calls and numbers did, is not something that anybody has done. */
export function selectOnboarding(sql: Queryable, actor: Actor) {
  const { companyId, employeeId } = actor
  const founded = companyCreatedAt(sql, companyId)
  return firstRow(sql<OnboardingRow[]>`
    select
      exists (
        select from onboarding_dismissals where company_id = ${companyId} and employee_id = ${employeeId}
      ) as dismissed,
      ${companyMayText(sql, companyId)} as may_text,
      ${numberToTry(sql, actor, 'for calls')} as number,
      ${numberToTry(sql, actor, 'for texts')} as number_for_texts,
      ${hasTakenCalls(sql, actor, founded)} as receive_call,
      ${hasReceivedTexts(sql, companyId, founded)} as receive_text,
      ${hasNumbersSince(sql, companyId, founded)} as add_number,
      ${hasColleagues(sql, actor, founded)} as invite_colleague,
      ${hasConnectedPhone(sql, actor)} as connect_phone`)
}

export async function insertDismissal(tx: Tx, { companyId, employeeId }: Actor) {
  await tx`
    insert into onboarding_dismissals (company_id, employee_id) values (${companyId}, ${employeeId})
    on conflict do nothing`
}

export async function deleteDismissal(tx: Tx, { companyId, employeeId }: Actor) {
  await tx`delete from onboarding_dismissals where company_id = ${companyId} and employee_id = ${employeeId}`
}
