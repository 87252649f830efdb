import { type Fragment, type Queryable, type Tx, violatesConstraint } from '../../platform/db/database.ts'
import { allValues, firstRow, firstValue, hasRow, oneValue } from '../../platform/db/rows.ts'
import type { Actor, Credential } from '../../platform/http/route.ts'
import { employeeOf } from '../employees/index.ts'
import type { QueueTx } from '../queue/index.ts'
import { DEVICE_LIMITS } from './limits.ts'
import type { DeviceEncryption } from './schemas.ts'

export type DeviceKind = 'phone' | 'browser'

interface NewDevice {
  name: string
  username: string
  password_sealed: Buffer
  kind: DeviceKind
  expires_at: Date | null
  /** The credential it ends with; undefined for a phone that somebody set up. */
  madeWith?: Credential
}

export function insertDevice(tx: Tx, employeeId: string, device: NewDevice) {
  const { name, username, password_sealed, kind, expires_at, madeWith } = device
  const idOf = (maker: Credential['kind']) => (madeWith?.kind === maker ? madeWith.id : null)
  return firstValue(tx<{ id: string }[]>`
    insert into devices (
      company_id, employee_id, name, username, password_sealed, kind, expires_at,
      session_id, api_key_id, oauth_grant_id
    )
    select company_id, id, ${name}, ${username}, ${password_sealed}, ${kind}, ${expires_at},
      ${idOf('session')}::uuid, ${idOf('api_key')}::uuid, ${idOf('oauth_grant')}::uuid
    from ${employeeOf(tx, employeeId)}
    returning id`)
}

const MAKER_KEYS = ['devices_session', 'devices_api_key_id_fkey', 'devices_oauth_grant_id_fkey']

/** Whether a device could not be stored because its credential is gone. */
export const isCreatorDeleted = (error: unknown) => MAKER_KEYS.some((key) => violatesConstraint(error, key))

export interface DeviceRow {
  id: string
  name: string
  /** For phones that somebody configures. */
  username: string | null
  kind: DeviceKind
  last_registered_at: Date | null
  is_registered: boolean
  encryption: DeviceEncryption
  /** When it last refused to encrypt its media. */
  encryption_refused_at: Date | null
  /** For browsers. */
  session_id: string | null
  user_agent: string | null
  signed_in_at: Date | null
  api_key_name: string | null
  application_name: string | null
}

/** All tabs of a browser count as one phone, and so do all devices of a program or an application. */
export function selectDevicesOf(sql: Queryable, employeeId: string) {
  return sql<DeviceRow[]>`
    select (array_agg(devices.id order by devices.id desc))[1] as id, devices.name, kind,
      case when kind = 'phone' then username end as username,
      max(last_registered_at) as last_registered_at,
      encryption, max(encryption_refused_at) as encryption_refused_at,
      bool_or(exists (
        select from device_registrations where device_id = devices.id and expires_at > now()
      )) as is_registered,
      session_id, user_agent, sessions.created_at as signed_in_at,
      api_keys.name as api_key_name, oauth_clients.name as application_name
    from devices
    left join sessions on sessions.company_id = devices.company_id and sessions.id = session_id
    left join api_keys on api_keys.id = api_key_id
    left join oauth_grants on oauth_grants.id = oauth_grant_id
    left join oauth_clients on oauth_clients.id = client_id
    where devices.employee_id = ${employeeId} and coalesce(devices.expires_at > now(), true)
    group by coalesce(session_id, api_key_id, oauth_grant_id, devices.id), 2, 3, 4, 6, 9, 10, 11, 12, 13
    order by kind desc, 1`
}

export function countPhones(sql: Queryable, employeeId: string) {
  return oneValue(sql<{ count: number }[]>`
    select count(*)::integer as count from devices where employee_id = ${employeeId} and kind = 'phone'`)
}

export interface DeviceOwnerRow {
  id: string
  company_id: string
  employee_id: string
}

/** Whether the phone refused encryption recently. */
export const hasRefusedEncryption = (sql: Queryable) => sql`
  coalesce(
    encryption_refused_at > now() - make_interval(secs => ${DEVICE_LIMITS.encryptionRefusedSeconds}), false
  ) as has_refused_encryption`

export interface DeviceEncryptionRow {
  encryption: DeviceEncryption
  has_refused_encryption: boolean
}

/** Without expired devices. */
export function selectDeviceByUsername(sql: Queryable, username: string) {
  return firstRow(sql<(DeviceOwnerRow & DeviceEncryptionRow & { password_sealed: Buffer })[]>`
    select id, company_id, employee_id, password_sealed, encryption, ${hasRefusedEncryption(sql)} from devices
    where username = ${username} and coalesce(expires_at > now(), true)`)
}

export function updateEncryption(
  tx: Tx,
  { companyId, employeeId }: Actor,
  id: string,
  encryption: DeviceEncryption,
) {
  return hasRow(tx`
    update devices set encryption = ${encryption}, encryption_refused_at = null
    where company_id = ${companyId} and employee_id = ${employeeId} and id = ${id} and kind = 'phone'
    returning id`)
}

export async function updateEncryptionRefused(sql: Queryable, id: string) {
  await sql`update devices set encryption_refused_at = now() where id = ${id}`
}

export function selectDeviceOwner(sql: Queryable, id: string) {
  return firstRow(sql<Actor[]>`
    select company_id as "companyId", employee_id as "employeeId" from devices where id = ${id}`)
}

/** The session of one of the employee's devices. */
export async function selectSessionOf(sql: Queryable, { companyId, employeeId }: Actor, id: string) {
  const [row] = await sql<{ session_id: string | null }[]>`
    select session_id from devices
    where company_id = ${companyId} and employee_id = ${employeeId} and id = ${id}`
  return row?.session_id ?? undefined
}

/** Whether a grant still has phones, as an expression on what the caller selects from. */
export const hasMadePhones = (sql: Queryable, grantId: Fragment) =>
  sql`exists (select from devices where oauth_grant_id = ${grantId})`

/** Where it is registered goes with it, here and below. */
export function deleteOwnDevice(tx: QueueTx, { companyId, employeeId }: Actor, id: string) {
  const own = tx`company_id = ${companyId} and employee_id = ${employeeId}`
  const maker = tx`coalesce(session_id, api_key_id, oauth_grant_id, id)`
  return hasRow(tx`
    delete from devices where ${own} and ${maker} = (select ${maker} from devices where ${own} and id = ${id})
    returning id`)
}

export function countBrowsers(sql: Queryable, { companyId, employeeId }: Actor) {
  return oneValue(sql<{ count: number }[]>`
    select count(*)::integer as count from devices
    where company_id = ${companyId} and employee_id = ${employeeId} and kind = 'browser'`)
}

/** Deletes all but the newest ones of the employee. */
export async function deleteOldestBrowsers(tx: QueueTx, { companyId, employeeId }: Actor, kept: number) {
  await tx`
    delete from devices where id in (
      select id from devices
      where company_id = ${companyId} and employee_id = ${employeeId} and kind = 'browser'
      order by id desc offset ${kept}
    )`
}

export function selectCompaniesWithExpired(sql: Queryable) {
  return allValues(sql<{ company_id: string }[]>`
    select distinct company_id from devices where expires_at <= now()`)
}

/** Returns their employees. */
export function deleteExpiredDevices(tx: QueueTx, companyId: string) {
  return allValues(tx<{ employee_id: string }[]>`
    delete from devices where company_id = ${companyId} and expires_at <= now() returning employee_id`)
}

/** The user names that no longer have a device. */
export function selectDeletedUsernames(sql: Queryable, usernames: string[]) {
  return allValues(sql<{ username: string }[]>`
    select username from unnest(${usernames}::text[]) as known (username)
    where not exists (select from devices where devices.username = known.username)`)
}

/** Whether a phone that the employee set up has ever registered; an expression. */
export const hasConnectedPhone = (sql: Queryable, { companyId, employeeId }: Actor) => sql`exists (
  select from devices
  where company_id = ${companyId} and employee_id = ${employeeId}
    and kind = 'phone' and last_registered_at is not null
)`
