import type { Queryable, Tx } from '../../platform/db/database.ts'
import type { Actor } from '../../platform/http/route.ts'
import type { QueueTx } from '../queue/index.ts'

export type DeviceKind = 'phone' | 'browser'

interface NewDevice {
  name: string
  username: string
  password_sealed: Buffer
  kind: DeviceKind
  expires_at: Date | null
}

export async function insertDevice(tx: Tx, employeeId: string, device: NewDevice) {
  const { name, username, password_sealed, kind, expires_at } = device
  const [row] = await tx<{ id: string }[]>`
    insert into devices (company_id, employee_id, name, username, password_sealed, kind, expires_at)
    select company_id, id, ${name}, ${username}, ${password_sealed}, ${kind}, ${expires_at}
    from employees where id = ${employeeId}
    returning id`
  return row?.id
}

export interface DeviceRow {
  id: string
  name: string
  username: string
  kind: DeviceKind
  created_at: Date
  last_registered_at: Date | null
  is_registered: boolean
}

/** Credentials of browsers are no concern of people. */
export function selectPhonesOf(sql: Queryable, employeeId: string) {
  return sql<DeviceRow[]>`
    select id, name, username, kind, created_at, last_registered_at,
      exists (select from device_registrations where device_id = devices.id and expires_at > now()) as is_registered
    from devices where employee_id = ${employeeId} and kind = 'phone' order by id`
}

export interface DeviceOwnerRow {
  id: string
  company_id: string
  employee_id: string
}

/** Not one whose time is over. */
export async function selectDeviceByUsername(sql: Queryable, username: string) {
  const [row] = await sql<(DeviceOwnerRow & { password_sealed: Buffer })[]>`
    select id, company_id, employee_id, password_sealed from devices
    where username = ${username} and coalesce(expires_at > now(), true)`
  return row
}

export async function selectDeviceOwner(sql: Queryable, id: string) {
  const [row] = await sql<DeviceOwnerRow[]>`select id, company_id, employee_id from devices where id = ${id}`
  return row
}

/** Where it is registered goes with it, here and below. */
export async function deleteOwnDevice(tx: QueueTx, { companyId, employeeId }: Actor, id: string) {
  const rows = await tx`
    delete from devices
    where company_id = ${companyId} and employee_id = ${employeeId} and id = ${id} returning id`
  return rows.length === 1
}

/** All but the newest so many of the employee's. Returns how many these were. */
export async function deleteOldestBrowsers(tx: QueueTx, companyId: string, employeeId: string, kept: number) {
  const { count } = await tx`
    delete from devices where id in (
      select id from devices
      where company_id = ${companyId} and employee_id = ${employeeId} and kind = 'browser'
      order by id desc offset ${kept}
    )`
  return count
}

export async function selectCompaniesOfExpiredDevices(sql: Queryable) {
  const rows = await sql<{ company_id: string }[]>`
    select distinct company_id from devices where expires_at <= now()`
  return rows.map((row) => row.company_id)
}

export function deleteExpiredDevices(tx: QueueTx, companyId: string) {
  return tx<DeviceOwnerRow[]>`
    delete from devices where company_id = ${companyId} and expires_at <= now()
    returning id, company_id, employee_id`
}
