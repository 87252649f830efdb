import type { Clock } from '../../../platform/clock.ts'
import type { Vault } from '../../../platform/crypto/crypto.ts'
import type { Cursors } from '../../../platform/crypto/cursors.ts'
import type { Database } from '../../../platform/db/database.ts'
import { type Route, route } from '../../../platform/http/route.ts'
import { briefThreadParams as params, NOT_A_NUMBER } from '../thread-params.ts'
import { Assignment, TeamFilter, TeamPage, ThreadStateChange, ThreadTeam, Writing } from './schemas.ts'
import { listTeamThreads } from './team-threads.ts'
import { assignThread, readThreadTeam, setThreadState, setWriting } from './thread-team.ts'

interface TeamRouteParts {
  db: Database
  clock: Clock
  /** Encrypts texts. */
  texts: Vault
  cursors: Cursors
}

const NO_THREAD = { when: 'Nothing has passed with this number.' }

export const teamRoutes = (parts: TeamRouteParts): Route[] => [
  route(
    {
      method: 'GET',
      path: '/inbox/threads',
      name: 'list_team_threads',
      summary: 'List threads as a team works through them: open, assigned, snoozed, done',
      toolSet: 'administration',
      query: TeamFilter,
      reply: { 200: TeamPage },
      refusals: { 404: { when: 'The company has no such business number.' } },
    },
    ({ actor, query }) => listTeamThreads(parts, actor, query),
  ),
  route(
    {
      method: 'GET',
      path: '/inbox/:phone_number/team',
      name: 'get_thread_team',
      summary: 'Get whether a thread is done or snoozed, whose it is, and who is writing',
      toolSet: 'administration',
      params,
      reply: { 200: ThreadTeam },
      refusals: { 422: NOT_A_NUMBER },
    },
    ({ actor, params }) => readThreadTeam(parts.db, actor, params.phone_number),
  ),
  route(
    {
      method: 'PUT',
      path: '/inbox/:phone_number/state',
      name: 'set_thread_state',
      summary: 'Mark a thread as done, snooze it, or reopen it, for the whole company',
      toolSet: 'administration',
      params,
      body: ThreadStateChange,
      example: { state: 'done' },
      reply: { 200: ThreadTeam },
      refusals: { 404: NO_THREAD },
    },
    ({ actor, params, body }) => setThreadState(parts.db, parts.clock, actor, params.phone_number, body),
  ),
  route(
    {
      method: 'PUT',
      path: '/inbox/:phone_number/assignee',
      name: 'assign_thread',
      summary: 'Assign a thread to an employee, or to nobody',
      toolSet: 'administration',
      params,
      body: Assignment,
      example: { employee_id: null },
      reply: { 200: ThreadTeam },
      refusals: { 404: NO_THREAD },
    },
    ({ actor, params, body }) => assignThread(parts.db, actor, params.phone_number, body),
  ),
  route(
    {
      method: 'POST',
      path: '/inbox/:phone_number/writing',
      name: 'set_writing',
      summary:
        'Show coworkers that you are writing a text in this thread, for 20 seconds, or that you stopped',
      toolSet: 'none',
      params,
      body: Writing,
      example: { writing: true },
      reply: { 204: null },
    },
    ({ actor, params, body }) => setWriting(parts.db, actor, params.phone_number, body),
  ),
]
