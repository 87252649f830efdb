import { z } from 'zod'

import { type Route, route } from '../../../platform/http/route.ts'
import { Id } from '../../../platform/ids.ts'
import type { TransferParts } from '../transfers/transfers.ts'
import { readLiveRecording, setRecordingPaused } from './recording-control.ts'
import { LiveRecording } from './schemas.ts'

const params = z.object({ call_id: Id('cal') })

const refusals = {
  403: { when: 'Another employee controls the call: `not_call_controller`.' },
  409: {
    when: 'The call is not in progress (`call_not_active`), or is not recorded (`call_not_recorded`).',
  },
  502: { when: 'The edge that has this call did not respond: `esl_unreachable`.' },
}

export const recordingControlRoutes = (parts: TransferParts): Route[] => [
  route(
    {
      method: 'GET',
      path: '/calls/:call_id/recording',
      name: 'get_call_recording',
      summary: 'Read whether a call is being recorded now',
      toolSet: 'administration',
      params,
      reply: { 200: LiveRecording },
    },
    ({ actor, params }) => readLiveRecording(parts.db.sql, actor, params.call_id),
  ),
  route(
    {
      method: 'POST',
      path: '/calls/:call_id/recording/pause',
      name: 'pause_call_recording',
      summary: 'Pause the recording of your call, as while a customer says a card number',
      toolSet: 'administration',
      params,
      reply: { 200: LiveRecording },
      refusals,
    },
    ({ actor, params }) => setRecordingPaused(parts, actor, params.call_id, true),
  ),
  route(
    {
      method: 'POST',
      path: '/calls/:call_id/recording/resume',
      name: 'resume_call_recording',
      summary: 'Resume the recording of your call',
      toolSet: 'administration',
      params,
      reply: { 200: LiveRecording },
      refusals,
    },
    ({ actor, params }) => setRecordingPaused(parts, actor, params.call_id, false),
  ),
]
