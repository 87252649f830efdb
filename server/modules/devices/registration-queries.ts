import type { Queryable, Sql, Tx } from '../../platform/db/database.ts'
import { allValues, firstRow, firstValue, hasRow } from '../../platform/db/rows.ts'
import type { QueueTx } from '../queue/index.ts'
import { type DeviceEncryptionRow, type DeviceOwnerRow, hasRefusedEncryption } from './queries.ts'

export interface DeviceRegistration {
  username: string
  key: string
  edgeId: string
  /** The registrar's binding. */
  binding: object
  /** From now. */
  forMs: number
}

/** A registration expires no later than the phone requested, nor than its credentials. */
const lasting = (sql: Queryable, forMs: number) => sql`now() + make_interval(secs => ${forMs / 1_000})`

/**
 * False if it does not exist, or is at another edge now. Changes nobody's availability, and is a transaction of its
 * own without a second lock: so it does not need the queue lock.
 */
export async function refreshRegistration(sql: Sql, registration: DeviceRegistration) {
  const { username, key, edgeId, binding, forMs } = registration
  const { count } = await sql`
    update device_registrations registered
    set binding = ${sql.json(binding)}, expires_at = least(${lasting(sql, forMs)}, devices.expires_at)
    from devices
    where devices.id = device_id and registered.username = ${username} and key = ${key}
      and edge_id = ${edgeId} and registered.expires_at > now()`
  return count === 1
}

/** Includes expired devices. */
export function selectCompanyOfDevice(sql: Queryable, username: string) {
  return firstValue(sql<{ company_id: string }[]>`
    select company_id from devices where username = ${username}`)
}

/** Moves the registration to this edge. Undefined if the device does not exist. */
export function upsertRegistration(tx: QueueTx, registration: DeviceRegistration) {
  const { username, key, edgeId, binding, forMs } = registration
  return firstRow(tx<DeviceOwnerRow[]>`
    insert into device_registrations
      (company_id, employee_id, device_id, username, key, edge_id, binding, expires_at)
    select company_id, employee_id, id, username, ${key}, ${edgeId}, ${tx.json(binding)},
      least(${lasting(tx, forMs)}, expires_at)
    from devices where username = ${username}
    on conflict (username, key) do update
      set edge_id = excluded.edge_id, binding = excluded.binding, expires_at = excluded.expires_at
    returning device_id as id, company_id, employee_id`)
}

export function deleteRegistration(tx: QueueTx, username: string, key: string, edgeId: string) {
  return firstRow(tx<DeviceOwnerRow[]>`
    delete from device_registrations
    where username = ${username} and key = ${key} and edge_id = ${edgeId}
    returning device_id as id, company_id, employee_id`)
}

const behindProxy = (sql: Queryable) => sql`(binding->>'isProxied')::boolean is true`

/**
 * Gives the registrations of phones behind a proxy to another edge, if there is one. Not to one that another
 * transaction is removing.
 */
export async function moveRegistrationsOfEdge(tx: QueueTx, edgeId: string, edgeSilentSecondsMax: number) {
  await tx`
    with heir as (
      select id from edges
      where id <> ${edgeId} and not draining
        and alive_at > now() - make_interval(secs => ${edgeSilentSecondsMax})
      order by started_at desc limit 1
      for key share skip locked
    )
    update device_registrations set edge_id = heir.id from heir
    where edge_id = ${edgeId} and ${behindProxy(tx)}`
}

export function deleteRegistrationsOfEdge(tx: QueueTx, edgeId: string) {
  return tx<DeviceOwnerRow[]>`
    delete from device_registrations where edge_id = ${edgeId}
    returning device_id as id, company_id, employee_id`
}

export function selectCompaniesRegisteredAt(sql: Queryable, edgeId: string) {
  return allValues(sql<{ company_id: string }[]>`
    select distinct company_id from device_registrations where edge_id = ${edgeId}`)
}

const leftBehind = (sql: Queryable, graceSeconds: number) => sql`
  expires_at < now() - make_interval(secs => ${graceSeconds})`

export function selectCompaniesOfExpiredRegistrations(sql: Queryable, graceSeconds: number) {
  return allValues(sql<{ company_id: string }[]>`
    select distinct company_id from device_registrations where ${leftBehind(sql, graceSeconds)}`)
}

/** After the grace period their edge would have removed them. */
export function deleteExpiredRegistrations(tx: QueueTx, companyId: string, graceSeconds: number) {
  return tx<DeviceOwnerRow[]>`
    delete from device_registrations where company_id = ${companyId} and ${leftBehind(tx, graceSeconds)}
    returning device_id as id, company_id, employee_id`
}

export async function updateLastRegistered(tx: Tx, deviceId: string) {
  await tx`update devices set last_registered_at = now() where id = ${deviceId}`
}

export interface RegisteredBinding extends DeviceEncryptionRow {
  device_id: string
  username: string
  key: string
  binding: unknown
  edge_id: string
  sip_host: string
  sip_port: number
}

/** All bindings of the employee's devices at live edges, and behind a proxy, which needs no particular edge. */
export function selectBindingsOf(
  sql: Queryable,
  companyId: string,
  employeeId: string,
  edgeSilentSecondsMax: number,
) {
  return sql<RegisteredBinding[]>`
    select device_id, registered.username, key, binding, edge_id, sip_host, sip_port,
      encryption, ${hasRefusedEncryption(sql)}
    from device_registrations registered
    join devices on devices.id = device_id
    join edges on edges.id = edge_id
    where registered.company_id = ${companyId} and registered.employee_id = ${employeeId}
      and registered.expires_at > now()
      and (alive_at > now() - make_interval(secs => ${edgeSilentSecondsMax}) or ${behindProxy(sql)})
    order by registered.username, key`
}

/** Whether a phone of one of the employees was still registered at that time. */
export function selectWasRegistered(sql: Queryable, companyId: string, employeeIds: string[], since: Date) {
  return hasRow(sql`
    select from devices
    where company_id = ${companyId} and employee_id = any(${employeeIds}::uuid[])
      and last_registered_at > ${since} limit 1`)
}
