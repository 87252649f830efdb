import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { firstRow } from '../../../platform/db/rows.ts'

export async function insertLink(tx: Tx, link: { token_hash: Buffer; device_id: string; expires_at: Date }) {
  await tx`insert into provisioning_links ${tx(link)}`
}

interface LinkedDevice {
  company_id: string
  employee_id: string
  name: string
  username: string
  password_sealed: Buffer
}

/** Uses the link up. */
export function takeLink(tx: Queryable, tokenHash: Buffer, now: Date) {
  return firstRow(tx<LinkedDevice[]>`
    with taken as (
      delete from provisioning_links where token_hash = ${tokenHash} and expires_at > ${now} returning device_id
    )
    select company_id, employee_id, name, username, password_sealed
    from taken join devices on devices.id = device_id`)
}

export async function deleteExpiredLinks(tx: Tx, now: Date) {
  await tx`delete from provisioning_links where expires_at <= ${now}`
}
