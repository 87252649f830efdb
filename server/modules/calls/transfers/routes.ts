import { z } from 'zod'

import { type Route, route } from '../../../platform/http/route.ts'
import { Id } from '../../../platform/ids.ts'
import { StorableText } from '../../../platform/schemas.ts'
import { startConference } from './conference.ts'
import { Transfer } from './schemas.ts'
import { cancelTransfer, completeTransfer, startTransfer, type TransferParts } from './transfers.ts'

const ID_CHARACTERS_MAX = 128
const TransferReply = z.object({ transfer: Transfer })
const OfCall = z.object({ call_id: Id('cal') })
const OneTransfer = z.object({ call_id: Id('cal'), transfer_id: Id('tra') })

const NOT_CONTROLLER = { when: 'Another employee controls the call: `not_call_controller`.' }
const EDGE_UNREACHABLE = { when: 'The edge that has this call did not respond: `esl_unreachable`.' }

export const transferRoutes = (parts: TransferParts): Route[] => [
  route(
    {
      method: 'POST',
      path: '/calls/:call_id/transfers',
      name: 'start_transfer',
      summary: 'Transfer your call to a coworker, after talking to them first',
      params: OfCall,
      body: z.object({
        employee_id: StorableText.max(ID_CHARACTERS_MAX)
          .nullish()
          .meta({ description: 'The id of the coworker.' }),
      }),
      example: { employee_id: 'emp_01h455vb4pex5vsknk084sn02q' },
      mandatory: ['employee_id'],
      reply: { 201: TransferReply },
      refusals: {
        403: NOT_CONTROLLER,
        409: {
          when:
            'The coworker cannot take a call now (`target_unavailable`), the call is not in progress ' +
            '(`call_not_active`), or another transfer of it is open (`transfer_in_progress`).',
        },
        422: { when: 'The coworker has the call already: `invalid_target`.' },
        502: EDGE_UNREACHABLE,
      },
    },
    async ({ actor, params, body }) => ({
      transfer: await startTransfer(parts, actor, params.call_id, body.employee_id),
    }),
  ),
  route(
    {
      method: 'POST',
      path: '/calls/:call_id/transfers/:transfer_id/completion',
      name: 'complete_transfer',
      summary: 'Leave the customer with the coworker',
      params: OneTransfer,
      reply: { 200: TransferReply },
      refusals: {
        403: NOT_CONTROLLER,
        409: {
          when:
            'The coworker has not answered yet (`transfer_not_consulting`), the transfer is over ' +
            '(`transfer_not_open`), or so is the call (`call_not_active`).',
        },
        502: EDGE_UNREACHABLE,
      },
    },
    async ({ actor, params }) => ({
      transfer: await completeTransfer(parts, actor, {
        callId: params.call_id,
        transferId: params.transfer_id,
      }),
    }),
  ),
  route(
    {
      method: 'DELETE',
      path: '/calls/:call_id/transfers/:transfer_id',
      name: 'cancel_transfer',
      summary: 'Take the customer back',
      params: OneTransfer,
      reply: { 200: TransferReply },
      refusals: {
        403: NOT_CONTROLLER,
        409: { when: 'The transfer is over (`transfer_not_open`), or so is the call (`call_not_active`).' },
        502: EDGE_UNREACHABLE,
      },
    },
    async ({ actor, params }) => ({
      transfer: await cancelTransfer(parts, actor, {
        callId: params.call_id,
        transferId: params.transfer_id,
      }),
    }),
  ),
  route(
    {
      method: 'POST',
      path: '/calls/:call_id/conference',
      name: 'start_conference',
      summary: 'Merge the coworker whom you consult into a three-way call with the customer',
      params: OfCall,
      reply: { 200: TransferReply },
      refusals: {
        403: NOT_CONTROLLER,
        409: {
          when:
            'No coworker is being consulted (`transfer_not_consulting`), or the call is over ' +
            '(`call_not_active`).',
        },
        502: EDGE_UNREACHABLE,
      },
    },
    async ({ actor, params }) => ({ transfer: await startConference(parts, actor, params.call_id) }),
  ),
]
