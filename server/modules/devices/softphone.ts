import { z } from 'zod'

import type { Clock } from '../../platform/clock.ts'
import type { Vault } from '../../platform/crypto.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Actor } from '../../platform/http/route.ts'
import { handleJob, type JobHandler, jobKind } from '../../platform/jobs/job.ts'
import { Timestamp } from '../../platform/schemas.ts'
import { availabilityChanged } from '../employees/index.ts'
import { withQueue } from '../queue/index.ts'
import { insertCredentials } from './devices.ts'
import { deleteExpiredDevices, deleteOldestBrowsers, selectCompaniesOfExpiredDevices } from './queries.ts'

const LIMITS = {
  /** A working day; the page asks again before it is over. */
  credentialsMs: 12 * 3_600_000,
  /** Of an employee: tabs that were closed stay until they expire. */
  browsersMax: 20,
}

export const SoftphoneCredentials = z
  .object({
    username: z.string(),
    password: z.string(),
    domain: z.string().meta({ description: 'The host part of the SIP address.' }),
    websocket_url: z.string().meta({ description: 'Where SIP over WebSocket is spoken (RFC 7118).' }),
    expires_at: Timestamp,
  })
  .meta({ id: 'SoftphoneCredentials' })

export interface SoftphoneParts {
  db: Database
  clock: Clock
  vault: Vault
  /** Where phones register. */
  domain(): Promise<string>
  websocketUrl(): string
}

/** Makes the browser of the employee a phone for some hours. */
export async function createSoftphoneCredentials(
  parts: SoftphoneParts,
  { companyId, employeeId }: Actor,
): Promise<z.output<typeof SoftphoneCredentials>> {
  const { db, clock, vault } = parts
  const expires_at = new Date(clock.now().getTime() + LIMITS.credentialsMs)
  const { username, password } = await db.tx((tx) =>
    withQueue(tx, companyId, async (queue) => {
      if ((await deleteOldestBrowsers(queue, companyId, employeeId, LIMITS.browsersMax - 1)) > 0)
        await availabilityChanged(queue, companyId, [employeeId])
      return insertCredentials(queue, vault, employeeId, { name: 'Browser', kind: 'browser', expires_at })
    }),
  )
  return { username, password, domain: await parts.domain(), websocket_url: parts.websocketUrl(), expires_at }
}

/** Removes the credentials of browsers whose time is over. */
const cleanUpDevices = jobKind('devices.clean_up', z.object({}))

export const deviceJobs = ({ db }: { db: Database }): JobHandler[] => [
  handleJob(cleanUpDevices, () => removeExpired(db), { schedule: 'hourly' }),
]

async function removeExpired(db: Database): Promise<void> {
  for (const companyId of await selectCompaniesOfExpiredDevices(db.sql)) {
    await db.tx((tx) =>
      withQueue(tx, companyId, async (queue) => {
        const owners = (await deleteExpiredDevices(queue, companyId)).map((owner) => owner.employee_id)
        await availabilityChanged(queue, companyId, owners)
      }),
    )
  }
}
