import { z } from 'zod'

import { type Route, route } from '../../../platform/http/route.ts'
import { Id } from '../../../platform/ids.ts'
import type { CallParts } from '../record/calls.ts'
import { Call } from '../schemas.ts'
import { WrapUpUpdate } from './schemas.ts'
import { setWrapUp } from './wrap-up.ts'

export const wrapUpRoutes = (parts: CallParts): Route[] => [
  route(
    {
      method: 'PUT',
      path: '/calls/:call_id/wrap_up',
      name: 'set_call_wrap_up',
      summary: 'Note how a call went: an outcome and an internal note, which the customer never sees',
      toolSet: 'administration',
      params: z.object({ call_id: Id('cal') }),
      body: WrapUpUpdate,
      example: { outcome: 'call_back', note: 'Wants a price for new tyres.' },
      reply: { 200: Call },
      refusals: { 409: { when: 'Somebody else has changed it since it was read: `wrap_up_changed`.' } },
    },
    ({ actor, params, body }) => setWrapUp(parts, actor, params.call_id, body),
  ),
]
