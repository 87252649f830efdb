import type { Database } from '../../../platform/db/database.ts'
import { type Route, route } from '../../../platform/http/route.ts'
import { readActiveCall } from './active-call.ts'
import { ActiveCall } from './schemas.ts'

export const activeCallRoutes = ({ db }: { db: Database }): Route[] => [
  route(
    {
      method: 'GET',
      path: '/calls/active',
      name: 'get_active_call',
      summary: 'Read the call that you are on, or that is being transferred to you; null if there is none',
      reply: { 200: ActiveCall },
      mayBeEmpty: true,
    },
    ({ actor }) => readActiveCall(db.sql, actor),
  ),
]
