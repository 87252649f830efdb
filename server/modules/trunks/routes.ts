import { type Route, route } from '../../platform/http/route.ts'
import { TrunkList } from './schemas.ts'
import { listTrunks, type TrunkParts } from './trunks.ts'

export const trunkRoutes = (parts: TrunkParts): Route[] => [
  route(
    {
      method: 'GET',
      path: '/trunks',
      name: 'list_trunks',
      summary: 'List the carriers of the installation with their state, for operators',
      toolSet: 'administration',
      reply: { 200: TrunkList },
      refusals: { 403: { when: 'The employee is not an operator: `not_an_operator`.' } },
    },
    ({ actor }) => listTrunks(parts, actor),
  ),
]
