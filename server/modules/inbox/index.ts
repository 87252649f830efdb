/**
 * Code that stores a call, a voicemail or a text need not update the inbox: triggers on those tables do so in the
 * same transaction (db/migrations/0008-inbox.sql).
 */
export { selectVoicemailCounts as countVoicemails } from './queries.ts'
export { setArrival } from './past-queries.ts'
export { updateSeen as markThreadsSeen } from './seen/seen-queries.ts'
export { inboxRoutes } from './routes.ts'
export { inboxJobs } from './team/thread-team.ts'
