import type { Tx } from '../../../platform/db/database.ts'
import { oneValue } from '../../../platform/db/rows.ts'

export async function lockPreviews(tx: Tx, companyId: string) {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`voice previews ${companyId}`}, 0))`
}

export function countPreviewsSince(tx: Tx, companyId: string, since: Date) {
  return oneValue(tx<{ count: number }[]>`
    select count(*)::int as count from voice_previews where company_id = ${companyId} and created_at > ${since}`)
}

export function insertPreview(tx: Tx, companyId: string, createdAt: Date) {
  return oneValue(tx<{ id: string }[]>`
    insert into voice_previews (company_id, created_at) values (${companyId}, ${createdAt}) returning id`)
}

export async function deletePreview(tx: Tx, companyId: string, id: string) {
  await tx`delete from voice_previews where company_id = ${companyId} and id = ${id}`
}
