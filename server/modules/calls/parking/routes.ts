import { z } from 'zod'

import { type Route, route } from '../../../platform/http/route.ts'
import { Id } from '../../../platform/ids.ts'
import type { TransferParts } from '../transfers/transfers.ts'
import { listParkedCalls, parkCall, retrieveCall } from './parking.ts'
import { ParkedCall, ParkingSlot } from './schemas.ts'

const OfCall = z.object({ call_id: Id('cal') })
const EDGE_UNREACHABLE = { when: 'The edge that has this call did not respond: `esl_unreachable`.' }

export const parkingRoutes = (parts: TransferParts): Route[] => [
  route(
    {
      method: 'GET',
      path: '/calls/parked',
      name: 'list_parked_calls',
      summary: 'List the customers who are parked, by slot',
      reply: { 200: z.object({ parked_calls: z.array(ParkedCall) }) },
    },
    async ({ actor }) => ({ parked_calls: await listParkedCalls(parts.db.sql, actor) }),
  ),
  route(
    {
      method: 'POST',
      path: '/calls/:call_id/park',
      name: 'park_call',
      summary: 'Park your call, so that it can be taken at any phone of the company',
      params: OfCall,
      body: z.object({
        slot: ParkingSlot.nullish().meta({ description: 'The first free one if it is not given.' }),
      }),
      example: {},
      reply: { 200: z.object({ parked_call: ParkedCall }) },
      refusals: {
        403: { when: 'Another employee controls the call: `not_call_controller`.' },
        409: {
          when:
            'The slot is taken, or all are (`parking_slot_taken`), a transfer of the call is open ' +
            '(`transfer_in_progress`), or the call is not in progress (`call_not_active`).',
        },
        502: EDGE_UNREACHABLE,
      },
    },
    async ({ actor, params, body }) => ({
      parked_call: await parkCall(parts, actor, params.call_id, body.slot ?? undefined),
    }),
  ),
  route(
    {
      method: 'POST',
      path: '/calls/:call_id/retrieve',
      name: 'retrieve_call',
      summary: 'Ring your phones for a parked call',
      params: OfCall,
      reply: { 204: null },
      refusals: {
        409: {
          when:
            'The call is not parked (`call_not_parked`), or you cannot take a call now ' +
            '(`employee_unavailable`).',
        },
        502: EDGE_UNREACHABLE,
      },
    },
    ({ actor, params }) => retrieveCall(parts, actor, params.call_id),
  ),
]
