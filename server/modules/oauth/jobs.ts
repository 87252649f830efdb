import { z } from 'zod'

import type { Dependencies } from '../../platform/dependencies.ts'
import { handleJob, type JobHandler, jobKind } from '../../platform/jobs/job.ts'
import { deleteUnusedClients } from './clients/client-queries.ts'
import { OAUTH_LIMITS } from './limits.ts'
import { deleteExpired } from './token/grant-queries.ts'

/** Deletes what has expired, and registrations without consent. */
export const cleanUpOauth = jobKind('oauth.clean_up', z.object({}))

export const oauthJobs = ({ db, clock }: Dependencies<'db' | 'clock'>): JobHandler[] => [
  handleJob(
    cleanUpOauth,
    async () => {
      const now = clock.now()
      await deleteExpired(db.sql, now)
      await deleteUnusedClients(db.sql, new Date(now.getTime() - OAUTH_LIMITS.unusedClientMs))
    },
    { schedule: 'hourly' },
  ),
]
