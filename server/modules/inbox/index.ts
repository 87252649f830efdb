/**
 * Whoever stores a call, a voicemail or a text does nothing for the inbox: triggers on those tables put it there in
 * the same transaction (db/migrations/0008-inbox.sql).
 */
export { inboxRoutes } from './routes.ts'
