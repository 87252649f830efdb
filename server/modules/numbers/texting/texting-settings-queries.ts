import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { firstRow } from '../../../platform/db/rows.ts'
import type { TextingSettings } from './texting-settings-schemas.ts'

export function selectTextingSettings(sql: Queryable, companyId: string, numberId: string) {
  return firstRow(sql<TextingSettings[]>`
    select auto_reply_enabled, auto_reply_text, auto_reply_cooldown_minutes from texting_settings
    where company_id = ${companyId} and business_number_id = ${numberId}`)
}

export async function upsertTextingSettings(
  tx: Tx,
  companyId: string,
  numberId: string,
  settings: TextingSettings,
) {
  await tx`
    insert into texting_settings ${tx({ company_id: companyId, business_number_id: numberId, ...settings })}
    on conflict (company_id, business_number_id) do update set ${tx({ ...settings })}`
}
