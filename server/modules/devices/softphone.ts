import { z } from 'zod'

import type { Database } from '../../platform/db/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { AppError, fail } from '../../platform/errors.ts'
import type { RequestActor } from '../../platform/http/route.ts'
import { handleJob, type JobHandler, jobKind } from '../../platform/jobs/job.ts'
import { Timestamp } from '../../platform/schemas.ts'
import { withQueue, availabilityChanged, endAccess } from '../queue/index.ts'
import { sessionExpiryOf } from '../sign-in/index.ts'
import { insertCredentials } from './devices.ts'
import { DEVICE_LIMITS } from './limits.ts'
import {
  countBrowsers,
  deleteExpiredDevices,
  deleteOldestBrowsers,
  isCreatorDeleted,
  selectCompaniesWithExpired,
} from './queries.ts'

export const SoftphoneCredentials = z
  .object({
    username: z.string(),
    password: z.string(),
    domain: z.string().meta({ description: 'The host part of the SIP address.' }),
    websocket_url: z.string().meta({ description: 'Where SIP over WebSocket is spoken (RFC 7118).' }),
    expires_at: Timestamp.meta({
      description:
        'The latest end. They end earlier with the session, the API key or the OAuth grant they were made with: from then on they register no more and place no calls; a call in progress goes on.',
    }),
  })
  .meta({ id: 'SoftphoneCredentials' })

export interface SoftphoneParts extends Dependencies<'db' | 'clock' | 'vault'> {
  /** The SIP domain at which phones register. */
  domain(): Promise<string>
  websocketUrl(): string
}

/** Creates SIP credentials for the employee's browser, which last some hours, but no longer than its credential. */
export async function createSoftphoneCredentials(
  parts: SoftphoneParts,
  caller: RequestActor,
): Promise<z.output<typeof SoftphoneCredentials>> {
  const { db, vault } = parts
  const expires_at = await endOfCredentials(parts, caller)
  const { username, password } = await db.tx(async (tx) => {
    if ((await countBrowsers(tx, caller)) >= DEVICE_LIMITS.browsersMax)
      await endAccess(tx, caller, (queue) =>
        deleteOldestBrowsers(queue, caller, DEVICE_LIMITS.browsersMax - 1),
      )
    const about = { name: 'Browser', kind: 'browser', expires_at, madeWith: caller.credential } as const
    return insertCredentials(tx, vault, caller.employeeId, about).catch(orMakerGone)
  })
  return { username, password, domain: await parts.domain(), websocket_url: parts.websocketUrl(), expires_at }
}

async function endOfCredentials(
  { db, clock }: SoftphoneParts,
  { companyId, credential }: RequestActor,
): Promise<Date> {
  const usually = new Date(clock.now().getTime() + DEVICE_LIMITS.credentialsMs)
  if (credential.kind !== 'session') return usually
  const last = (await sessionExpiryOf(db.sql, companyId, credential.id)) ?? fail(accessHasEnded())
  return last < usually ? last : usually
}

/** The credential ended while the device was being created. */
function orMakerGone(error: unknown): never {
  throw isCreatorDeleted(error) ? accessHasEnded() : error
}

const accessHasEnded = () =>
  new AppError({
    status: 401,
    code: 'unauthorized',
    message: 'Your access has just ended. Sign in again, or use another key or token.',
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  })

/** Deletes expired credentials of browsers. */
const cleanUpDevices = jobKind('devices.clean_up', z.object({}))

export const deviceJobs = ({ db }: { db: Database }): JobHandler[] => [
  handleJob(cleanUpDevices, () => removeExpired(db), { schedule: 'hourly' }),
]

async function removeExpired(db: Database): Promise<void> {
  for (const companyId of await selectCompaniesWithExpired(db.sql))
    await db.tx((tx) =>
      withQueue(tx, companyId, async (queue) =>
        availabilityChanged(queue, companyId, await deleteExpiredDevices(queue, companyId)),
      ),
    )
}
