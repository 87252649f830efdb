import type { Tx } from '../../platform/db/database.ts'
import type { Subject } from './subject.ts'

/** A recording that replaces another one is put into words anew. A company that is new in the round comes next. */
export async function insertOrder(
  tx: Tx,
  companyId: string,
  { kind, id }: Subject,
  recordedFrom: Date | null,
) {
  await tx`
    insert into transcript_orders (company_id, kind, subject_id, recorded_from)
    values (${companyId}, ${kind}, ${id}, ${recordedFrom})
    on conflict (company_id, kind, subject_id) do update
    set status = 'waiting', recorded_from = excluded.recorded_from, due_at = null, claim = null,
      claimed_until = null, tries = 0, failure = null, reason = null`
  await tx`
    insert into transcript_turns (company_id) values (${companyId}) on conflict (company_id) do nothing`
}

export async function deleteOrder(tx: Tx, companyId: string, { kind, id }: Subject) {
  await tx`
    delete from transcript_orders where company_id = ${companyId} and kind = ${kind} and subject_id = ${id}`
}
