import { z } from 'zod'

import { type Route, route } from '../../../platform/http/route.ts'
import { Id } from '../../../platform/ids.ts'
import { Waveform } from '../../waveforms/index.ts'
import { listInternalCalls } from '../internal/internal-calls.ts'
import { InternalCall } from '../internal/schemas.ts'
import { Call, CallFilter } from '../schemas.ts'
import { type CallParts, listCalls, readCall, readCallWaveform } from './calls.ts'

export const callRecordRoutes = (parts: CallParts): Route[] => [
  route(
    {
      method: 'GET',
      path: '/calls',
      name: 'list_calls',
      summary: 'List calls, newest first, or search what was said in them',
      query: CallFilter,
      reply: { 200: z.object({ calls: z.array(z.discriminatedUnion('direction', [Call, InternalCall])) }) },
    },
    async ({ actor, query }) => ({
      calls:
        query.direction === 'internal'
          ? await listInternalCalls(parts.db.sql, actor, query)
          : await listCalls(parts, actor, query),
    }),
  ),
  route(
    {
      method: 'GET',
      path: '/calls/:id',
      name: 'get_call',
      summary: 'Read a call',
      params: z.object({ id: Id('cal') }),
      reply: { 200: Call },
    },
    ({ actor, params }) => readCall(parts, actor, params.id),
  ),
  route(
    {
      method: 'GET',
      path: '/calls/:id/waveform',
      name: 'get_call_waveform',
      toolSet: 'none',
      summary: 'Read how loud the recording of a call is from beginning to end, and where it is silent',
      params: z.object({ id: Id('cal') }),
      reply: { 200: Waveform },
    },
    ({ actor, params }) => readCallWaveform(parts, actor, params.id),
  ),
]
