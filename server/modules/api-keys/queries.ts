import type { Queryable, Tx } from '../../platform/db/database.ts'
import { firstRow, firstValue, hasRow } from '../../platform/db/rows.ts'
import type { Actor } from '../../platform/http/route.ts'
import { employeeOf } from '../employees/index.ts'
import type { QueueTx } from '../queue/index.ts'

export interface StoredKey {
  company_id: string
  employee_id: string
  secret_hash: Buffer
  last_used_at: Date | null
}

export function insertKey(tx: Tx, employeeId: string, name: string, secretHash: Buffer) {
  return firstValue(tx<{ id: string }[]>`
    insert into api_keys (company_id, employee_id, name, secret_hash)
    select company_id, id, ${name}, ${secretHash} from ${employeeOf(tx, employeeId)}
    returning id`)
}

export function selectKey(sql: Queryable, id: string) {
  return firstRow(sql<StoredKey[]>`
    select company_id, employee_id, secret_hash, last_used_at
    from api_keys left join api_key_uses on key_id = id
    where id = ${id}`)
}

export function selectKeysOf(sql: Queryable, employeeId: string) {
  return sql<{ id: string; name: string; created_at: Date; last_used_at: Date | null }[]>`
    select id, name, created_at, last_used_at from api_keys left join api_key_uses on key_id = id
    where employee_id = ${employeeId} order by id`
}

/** Does nothing if the key has been deleted, or a later use is stored. */
export async function upsertKeyUse(sql: Queryable, id: string, usedAt: Date) {
  await sql`
    insert into api_key_uses (key_id, last_used_at)
    select id, ${usedAt} from api_keys where id = ${id} for key share
    on conflict (key_id) do update set last_used_at = greatest(api_key_uses.last_used_at, excluded.last_used_at)`
}

/** The database deletes the devices that were created with the key. */
export function deleteOwnKey(tx: QueueTx, { companyId, employeeId }: Actor, id: string) {
  return hasRow(tx`
    delete from api_keys
    where company_id = ${companyId} and employee_id = ${employeeId} and id = ${id} returning id`)
}
