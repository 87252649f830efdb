import type { Database } from '../../platform/db/database.ts'
import { fail, notFound } from '../../platform/errors.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { keepLanguage } from '../employees/index.ts'
import { SessionInfo, SessionUpdate } from './schemas.ts'
import { selectSessionInfo } from './session/queries.ts'

export const sessionRoutes = ({ db }: { db: Database }): Route[] => [
  route(
    {
      method: 'GET',
      path: '/session',
      name: 'get_session',
      summary: 'Read who you are: the employee and company that the credential acts for',
      reply: { 200: SessionInfo },
      refusals: { 404: { when: 'The employee has just been deleted.' } },
    },
    async ({ actor }) => (await selectSessionInfo(db.sql, actor)) ?? fail(notFound()),
  ),
  route(
    {
      method: 'PATCH',
      path: '/session',
      name: 'update_session',
      summary: 'Set the language in which you use Bellhop and get its e-mails',
      toolSet: 'none',
      body: SessionUpdate,
      example: { language: 'da' },
      reply: { 200: SessionInfo },
      refusals: { 404: { when: 'The employee has just been deleted.' } },
    },
    ({ actor, body }) =>
      db.tx(async (tx) => {
        await keepLanguage(tx, actor, body.language)
        return (await selectSessionInfo(tx, actor)) ?? fail(notFound())
      }),
  ),
]
