import type { KeyRing } from '../../platform/crypto/key-ring.ts'
import type { SealedRow, SealedRows } from '../../platform/crypto/reseal.ts'
import type { Queryable } from '../../platform/db/database.ts'
import { oneValue } from '../../platform/db/rows.ts'
import { eventDataContext } from './outbox.ts'

/** Event data of a company about texts that an older key has sealed. */
export const sealedEvents = (companyId: string, { header }: KeyRing): SealedRows => ({
  lockOlder: (tx, after, limit) => tx<SealedRow[]>`
    select id, data_sealed as sealed from events
    where company_id = ${companyId} ${after === undefined ? tx`` : tx`and id > ${after}`}
      and substring(data_sealed from 1 for ${header.length}) <> ${header}
    order by id limit ${limit} for no key update skip locked`,
  async update(tx, rows) {
    const [ids, hex] = [rows.map(({ id }) => id), rows.map(({ sealed }) => sealed.toString('hex'))]
    await tx`
      update events set data_sealed = decode(hex, 'hex')
      from unnest(${ids}::uuid[], ${hex}::text[]) as anew (event_id, hex)
      where company_id = ${companyId} and id = event_id`
  },
  contextOf: (id) => eventDataContext(companyId, id),
})

export function countOlderEvents(sql: Queryable, companyId: string, { header }: KeyRing): Promise<number> {
  return oneValue(sql<{ count: number }[]>`
    select count(*)::int as count from events
    where company_id = ${companyId} and substring(data_sealed from 1 for ${header.length}) <> ${header}`)
}
