import { type Route, route } from '../../../platform/http/route.ts'
import type { CallParts } from '../record/calls.ts'
import { readCallsToday, readLiveCalls } from './board.ts'
import { CallsToday, LiveCalls } from './schemas.ts'

export const boardRoutes = ({ db: { sql }, clock }: CallParts): Route[] => [
  route(
    {
      method: 'GET',
      path: '/calls/live',
      name: 'list_live_calls',
      summary: 'List the calls of this moment: who talks to whom, and who waits',
      toolSet: 'administration',
      reply: { 200: LiveCalls },
    },
    ({ actor }) => readLiveCalls(sql, actor),
  ),
  route(
    {
      method: 'GET',
      path: '/calls/today',
      name: 'count_calls_today',
      summary: 'Count the calls of today: answered, missed, and how long callers waited',
      toolSet: 'administration',
      reply: { 200: CallsToday },
    },
    ({ actor }) => readCallsToday({ sql, clock }, actor),
  ),
]
