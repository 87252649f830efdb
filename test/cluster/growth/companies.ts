import { createApiKey } from '../../../server/modules/api-keys/index.ts'
import { sealedTextContext } from '../../../server/modules/messages/present.ts'
import { createKeyRing } from '../../../server/platform/crypto/key-ring.ts'
import { type DedicatedSql } from '../../../server/platform/db/database.ts'
import { BUSIEST } from './fill/series.ts'

/** A company whose lists are read. */
export interface MeasuredCompany {
  id: string
  numberId: string
  employeeId: string
  subscriptionId: string
  /** Of its first employee. */
  key: string
}

/** The last texts of all threads, and so many of the busiest one, are sealed, so that they can be read. */
const READABLE = 2_000

export async function openCompany(
  sql: DedicatedSql,
  place: number,
  secret: string,
): Promise<MeasuredCompany> {
  const [row] = await sql<Omit<MeasuredCompany, 'key'>[]>`
    select id, numbers[1] as "numberId", employees[1] as "employeeId", subscription as "subscriptionId"
    from growth.companies where place = ${place}`
  const company = row!
  const { key } = await sql.begin((tx) => createApiKey(tx, company.employeeId, 'growth'))
  await sealTexts(sql, company.id, secret)
  return { ...company, key }
}

async function sealTexts(sql: DedicatedSql, companyId: string, secret: string) {
  const ring = createKeyRing([{ id: '1', secret }])
  const rows = await sql<{ id: string }[]>`
    select id from messages where company_id = ${companyId} and id in (
      select last_item_id from inbox_threads where company_id = ${companyId}
      union all
      (
        select id from inbox_items where company_id = ${companyId} and phone_number = ${BUSIEST} and type = 'message'
        order by arrived_at desc limit ${READABLE}
      )
    )`
  const ids = rows.map(({ id }) => id)
  const sealed = ids.map((id) =>
    ring.seal('Is my order ready?', sealedTextContext(companyId, id)).toString('hex'),
  )
  await sql`
    update messages set text_sealed = decode(sealed, 'hex')
    from unnest(${ids}::uuid[], ${sealed}::text[]) as readable (id, sealed)
    where company_id = ${companyId} and messages.id = readable.id`
}
