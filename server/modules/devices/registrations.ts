import type { Database, Queryable } from '../../platform/db/database.ts'
import { EDGE_HEARTBEAT } from '../edges/index.ts'
import { type QueueTx, withQueue, availabilityChanged } from '../queue/index.ts'
import { DEVICE_LIMITS } from './limits.ts'
import type { DeviceOwnerRow } from './queries.ts'
import {
  deleteExpiredRegistrations,
  deleteRegistration,
  deleteRegistrationsOfEdge,
  type DeviceRegistration,
  moveRegistrationsOfEdge,
  refreshRegistration,
  type RegisteredBinding,
  selectBindingsOf,
  selectCompaniesOfExpiredRegistrations,
  selectCompanyOfDevice,
  updateLastRegistered,
  upsertRegistration,
} from './registration-queries.ts'

export type { DeviceRegistration, RegisteredBinding } from './registration-queries.ts'

/** Phones refresh every few minutes, and then nothing else changes: one statement. False when the device is gone. */
export async function saveRegistration(db: Database, registration: DeviceRegistration): Promise<boolean> {
  if (await refreshRegistration(db.sql, registration)) return true
  const companyId = await selectCompanyOfDevice(db.sql, registration.username)
  if (companyId === undefined) return false
  return db.tx((tx) =>
    withQueue(tx, companyId, async (queue) => {
      const owner = await upsertRegistration(queue, registration)
      if (owner) await tellOwners(queue, [owner])
      return owner !== undefined
    }),
  )
}

export async function removeRegistration(
  db: Database,
  { username, key, edgeId }: Pick<DeviceRegistration, 'username' | 'key' | 'edgeId'>,
): Promise<void> {
  const companyId = await selectCompanyOfDevice(db.sql, username)
  // It was deleted with its device.
  if (companyId === undefined) return
  await db.tx((tx) =>
    withQueue(tx, companyId, async (queue) => {
      const owner = await deleteRegistration(queue, username, key, edgeId)
      if (owner) await tellOwners(queue, [owner])
    }),
  )
}

/**
 * Phones behind a proxy stay registered if there is another edge, which reaches them too. Needs the queue locks of all
 * companies with registrations at this edge.
 */
export async function removeRegistrationsOfEdge(tx: QueueTx, edgeId: string): Promise<void> {
  await moveRegistrationsOfEdge(tx, edgeId, EDGE_HEARTBEAT.timeoutSeconds)
  await tellOwners(tx, await deleteRegistrationsOfEdge(tx, edgeId))
}

export async function removeExpiredRegistrations(db: Database): Promise<void> {
  const graceSeconds = DEVICE_LIMITS.expiredGraceSeconds
  for (const companyId of await selectCompaniesOfExpiredRegistrations(db.sql, graceSeconds)) {
    await db.tx((tx) =>
      withQueue(tx, companyId, async (queue) =>
        tellOwners(queue, await deleteExpiredRegistrations(queue, companyId, graceSeconds)),
      ),
    )
  }
}

export const bindingsOf = (
  sql: Queryable,
  companyId: string,
  employeeId: string,
): Promise<RegisteredBinding[]> => selectBindingsOf(sql, companyId, employeeId, EDGE_HEARTBEAT.timeoutSeconds)

async function tellOwners(tx: QueueTx, owners: DeviceOwnerRow[]): Promise<void> {
  const employees = new Map<string, Set<string>>()
  for (const { id, company_id, employee_id } of owners) {
    await updateLastRegistered(tx, id)
    employees.set(company_id, (employees.get(company_id) ?? new Set()).add(employee_id))
  }
  for (const [companyId, ids] of employees) await availabilityChanged(tx, companyId, [...ids])
}
