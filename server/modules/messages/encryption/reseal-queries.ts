import type { KeyRing } from '../../../platform/crypto/key-ring.ts'
import type { SealedRow, SealedRows } from '../../../platform/crypto/reseal.ts'
import type { Queryable } from '../../../platform/db/database.ts'
import { oneValue } from '../../../platform/db/rows.ts'
import { sealedTextContext } from '../present.ts'

/** The texts of a company that an older key has sealed. */
export const sealedTexts = (companyId: string, { header }: KeyRing): SealedRows => ({
  lockOlder: (tx, after, limit) => tx<SealedRow[]>`
    select id, text_sealed as sealed from messages
    where company_id = ${companyId} ${after === undefined ? tx`` : tx`and id > ${after}`}
      and substring(text_sealed from 1 for ${header.length}) <> ${header}
    order by id limit ${limit} for no key update skip locked`,
  async update(tx, rows) {
    const [ids, hex] = [rows.map(({ id }) => id), rows.map(({ sealed }) => sealed.toString('hex'))]
    await tx`
      update messages set text_sealed = decode(hex, 'hex')
      from unnest(${ids}::uuid[], ${hex}::text[]) as anew (message_id, hex)
      where company_id = ${companyId} and id = message_id`
  },
  contextOf: (id) => sealedTextContext(companyId, id),
})

export function countOlderTexts(sql: Queryable, companyId: string, { header }: KeyRing): Promise<number> {
  return oneValue(sql<{ count: number }[]>`
    select count(*)::int as count from messages
    where company_id = ${companyId} and substring(text_sealed from 1 for ${header.length}) <> ${header}`)
}
