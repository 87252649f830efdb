import type { Fragment, Queryable, Tx } from '../../../platform/db/database.ts'
import { firstRow } from '../../../platform/db/rows.ts'
import { employeesEver } from '../../employees/index.ts'
import type { Outcome, WrapUp } from './schemas.ts'

export interface WrapUpRow {
  outcome: Outcome | null
  note: string | null
  wrapped_up_by: { id: string; name: string } | null
  wrapped_up_at: Date | null
}

/** Of the calls of a larger statement. */
export const wrapUpColumns = (sql: Queryable, call: Fragment) => sql`
  ${call}.outcome, ${call}.note, ${call}.wrapped_up_at,
  (
    select json_build_object('id', e.id, 'name', e.name) from ${employeesEver(sql)} e
    where e.company_id = ${call}.company_id and e.id = ${call}.wrapped_up_by
  ) as wrapped_up_by`

export function presentWrapUp({ outcome, note, wrapped_up_by, wrapped_up_at }: WrapUpRow): WrapUp | null {
  if (!wrapped_up_by || !wrapped_up_at) return null
  return { outcome, note, author: wrapped_up_by, updated_at: wrapped_up_at }
}

/** Undefined if there is no such call. */
export function lockWrapUp(tx: Tx, companyId: string, callId: string) {
  return firstRow(tx<{ wrapped_up_at: Date | null }[]>`
    select wrapped_up_at from calls where company_id = ${companyId} and id = ${callId} for update`)
}

export interface NewWrapUp {
  outcome: Outcome | null
  note: string | null
  authorId: string
}

/** No two have the same time, to the millisecond that the API shows. */
export async function updateWrapUp(
  tx: Tx,
  companyId: string,
  callId: string,
  { outcome, note, authorId }: NewWrapUp,
) {
  const isEmpty = outcome === null && note === null
  await tx`
    update calls set outcome = ${outcome}, note = ${note},
      wrapped_up_by = ${isEmpty ? null : authorId},
      wrapped_up_at = ${
        isEmpty
          ? null
          : tx`greatest(
              date_trunc('milliseconds', clock_timestamp()), wrapped_up_at + interval '1 millisecond'
            )`
      }
    where company_id = ${companyId} and id = ${callId}`
}
