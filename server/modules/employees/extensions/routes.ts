import { z } from 'zod'

import type { Dependencies } from '../../../platform/dependencies.ts'
import { type Route, route } from '../../../platform/http/route.ts'
import { Id } from '../../../platform/ids.ts'
import { listExtensions } from './extensions.ts'

const Extension = z
  .object({
    employee_id: Id('emp'),
    name: z.string(),
    extension: z.string().meta({ description: 'Two to five digits, which coworkers dial.' }),
  })
  .meta({ id: 'Extension' })

export const extensionRoutes = ({ db }: Dependencies<'db'>): Route[] => [
  route(
    {
      method: 'GET',
      path: '/extensions',
      name: 'list_extensions',
      summary: 'List the extensions by which employees call each other',
      reply: { 200: z.object({ extensions: z.array(Extension) }) },
    },
    async ({ actor }) => ({ extensions: await db.tx((tx) => listExtensions(tx, actor.companyId)) }),
  ),
]
