import type { Tx } from '../../../platform/db/database.ts'
import { firstValue } from '../../../platform/db/rows.ts'

/**
 * Writing the transcription makes the trigger recompute the words, those of the note among them. Embeddings are enqueued
 * too, because they also depend on the language. Returns the `beforeId` of the next batch; undefined if no call is left. Calls without
 * either count towards the batch, which bounds the time it takes.
 */
export function reindexCalls(
  tx: Tx,
  where: { companyId: string; numberId: string; direction: string; beforeId?: string },
  limit: number,
) {
  const { companyId, numberId, direction, beforeId } = where
  return firstValue(tx<{ id: string }[]>`
    with batch as materialized (
      select id from calls
      where company_id = ${companyId} and business_number_id = ${numberId} and direction = ${direction}
        ${beforeId === undefined ? tx`` : tx`and id < ${beforeId}`}
      order by id desc limit ${limit}
    ), indexed as (
      update calls set transcription = transcription
      where company_id = ${companyId} and id in (select id from batch)
        and (transcription is not null or note is not null)
      returning id
    ), ordered as (
      select count(order_call_meanings(${companyId}, id)) from indexed
    )
    select id from batch, ordered order by id desc offset ${limit - 1}`)
}

export async function updateCallContext(tx: Tx, companyId: string, id: string, text: string | null) {
  await tx`update calls set context_text = ${text} where company_id = ${companyId} and id = ${id}`
}
