import type { Clock } from '../../platform/clock.ts'
import type { Vault } from '../../platform/crypto/crypto.ts'
import { createCursors } from '../../platform/crypto/cursors.ts'
import type { Database } from '../../platform/db/database.ts'
import { type Route, route } from '../../platform/http/route.ts'
import type { FileLinks } from '../files/index.ts'
import { readActivity } from './activity/activity.ts'
import { noteRoutes } from './notes/routes.ts'
import {
  ActivityFilter,
  ActivityPage,
  CallsSeen,
  Seen,
  ThreadFilter,
  ThreadPage,
  UnseenCounts,
} from './schemas.ts'
import { countUnseen, markCallsSeen, markSeen } from './seen/seen.ts'
import { teamRoutes } from './team/routes.ts'
import { threadParams as params } from './thread-params.ts'
import { listThreads } from './threads/threads.ts'

export interface InboxParts {
  db: Database
  clock: Clock
  links: FileLinks
  /** Encrypts texts. */
  texts: Vault
  secret: string
}

const NO_SUCH_NUMBER = { when: 'The company has no such business number.' }

export function inboxRoutes({ db, clock, links, texts, secret }: InboxParts): Route[] {
  const parts = { db, clock, links, texts, cursors: createCursors(secret) }
  return [
    route(
      {
        method: 'GET',
        path: '/inbox',
        name: 'list_threads',
        summary: 'List what passed with each external number, newest activity first',
        query: ThreadFilter,
        reply: { 200: ThreadPage },
        refusals: { 404: NO_SUCH_NUMBER },
      },
      ({ actor, query }) => listThreads(parts, actor, query),
    ),
    route(
      {
        method: 'GET',
        path: '/inbox/:phone_number/activity',
        name: 'list_activity',
        summary: 'List calls, voicemails and texts of an external number, newest first',
        params,
        query: ActivityFilter,
        reply: { 200: ActivityPage },
      },
      ({ actor, params, query }) => readActivity(parts, actor, params.phone_number, query),
    ),
    route(
      {
        method: 'POST',
        path: '/inbox/:phone_number/seen',
        name: 'mark_seen',
        summary: 'Mark what passed with an external number as seen, up to a time',
        params,
        body: Seen,
        example: { through: '2026-01-31T12:00:00.000000Z' },
        reply: { 204: null },
      },
      ({ actor, params, body }) => markSeen(db, actor, params.phone_number, body),
    ),
    route(
      {
        method: 'POST',
        path: '/calls/seen',
        name: 'mark_calls_seen',
        summary: 'Mark calls and voicemails as seen',
        body: CallsSeen,
        example: { phone_number: '+4520112233' },
        deprecated: true,
        toolSet: 'everyday',
        reply: { 204: null },
        refusals: { 404: NO_SUCH_NUMBER },
      },
      ({ actor, body }) => markCallsSeen(db, actor, body),
    ),
    route(
      {
        method: 'GET',
        path: '/activity/unseen',
        name: 'count_unseen',
        summary: 'Count people with something unseen, for each business number',
        deprecated: true,
        toolSet: 'everyday',
        reply: { 200: UnseenCounts },
      },
      ({ actor }) => countUnseen(db, actor),
    ),
    ...teamRoutes(parts),
    ...noteRoutes(parts),
  ]
}
