import type { Database, Queryable, Tx } from '../../platform/db/database.ts'
import { EDGE_LIFE } from '../edges/index.ts'
import { availabilityChanged } from '../employees/index.ts'
import type { DeviceOwnerRow } from './queries.ts'
import {
  deleteExpiredRegistrations,
  deleteRegistration,
  deleteRegistrationsOfEdge,
  refreshRegistration,
  type RegisteredLine,
  type Registration,
  selectLinesOf,
  updateLastRegistered,
  upsertRegistration,
} from './registration-queries.ts'

export type { RegisteredLine, Registration } from './registration-queries.ts'

/** What an edge that forgot to remove a registration has left behind is removed after so long. */
const LIMITS = { expiredGraceSeconds: 5 }

/** Phones refresh every few minutes, and then nothing else changes: one statement. False when the device is gone. */
export async function keepRegistration(db: Database, registration: Registration): Promise<boolean> {
  if (await refreshRegistration(db.sql, registration)) return true
  return db.tx(async (tx) => {
    const owner = await upsertRegistration(tx, registration)
    if (!owner) return false
    await updateLastRegistered(tx, owner.id)
    await availabilityChanged(tx, owner.company_id, [owner.employee_id])
    return true
  })
}

export async function dropRegistration(
  db: Database,
  { username, key, edgeId }: Pick<Registration, 'username' | 'key' | 'edgeId'>,
): Promise<void> {
  await db.tx(async (tx) => {
    const owner = await deleteRegistration(tx, username, key, edgeId)
    if (owner) await tellOwners(tx, [owner])
  })
}

export async function dropRegistrationsOfEdge(tx: Tx, edgeId: string): Promise<void> {
  await tellOwners(tx, await deleteRegistrationsOfEdge(tx, edgeId))
}

export async function dropExpiredRegistrations(tx: Tx): Promise<void> {
  await tellOwners(tx, await deleteExpiredRegistrations(tx, LIMITS.expiredGraceSeconds))
}

export const linesOf = (sql: Queryable, companyId: string, employeeId: string): Promise<RegisteredLine[]> =>
  selectLinesOf(sql, companyId, employeeId, EDGE_LIFE.silentSecondsMax)

async function tellOwners(tx: Tx, owners: DeviceOwnerRow[]): Promise<void> {
  const employees = new Map<string, Set<string>>()
  for (const { id, company_id, employee_id } of owners) {
    await updateLastRegistered(tx, id)
    employees.set(company_id, (employees.get(company_id) ?? new Set()).add(employee_id))
  }
  for (const [companyId, ids] of employees) await availabilityChanged(tx, companyId, [...ids])
}
