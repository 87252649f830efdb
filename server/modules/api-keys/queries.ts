import type { Queryable, Tx } from '../../platform/db/database.ts'

export interface StoredKey {
  company_id: string
  employee_id: string
  secret_hash: Buffer
}

export async function insertKey(tx: Tx, employeeId: string, name: string, secretHash: Buffer) {
  const [row] = await tx<{ id: string }[]>`
    insert into api_keys (company_id, employee_id, name, secret_hash)
    select company_id, id, ${name}, ${secretHash} from employees where id = ${employeeId}
    returning id`
  return row?.id
}

export async function selectKey(sql: Queryable, id: string) {
  const [row] = await sql<
    StoredKey[]
  >`select company_id, employee_id, secret_hash from api_keys where id = ${id}`
  return row
}

export function selectKeysOf(sql: Queryable, employeeId: string) {
  return sql<{ id: string; name: string; created_at: Date }[]>`
    select id, name, created_at from api_keys where employee_id = ${employeeId} order by id`
}

export async function deleteKey(tx: Tx, id: string) {
  const rows = await tx`delete from api_keys where id = ${id} returning id`
  return rows.length === 1
}
