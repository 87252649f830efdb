import { z } from 'zod'

import { type Route, route } from '../../../platform/http/route.ts'
import { Id } from '../../../platform/ids.ts'
import type { TransferParts } from '../transfers/transfers.ts'
import { pickUpCall } from './pickup.ts'

export const pickupRoutes = (parts: TransferParts): Route[] => [
  route(
    {
      method: 'POST',
      path: '/calls/:call_id/pickup',
      name: 'pick_up_call',
      summary: 'Ring your phones for a customer who waits in the queue, even if the call is not for you',
      params: z.object({ call_id: Id('cal') }),
      reply: { 204: null },
      refusals: {
        409: {
          when:
            'The call does not wait in the queue (`call_not_queued`), or you cannot take a call now ' +
            '(`employee_unavailable`).',
        },
        502: { when: 'The edge that has this call did not respond: `esl_unreachable`.' },
      },
    },
    ({ actor, params }) => pickUpCall(parts, actor, params.call_id),
  ),
]
