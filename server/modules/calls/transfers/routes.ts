import { z } from 'zod'

import { type Route, route } from '../../../platform/http/route.ts'
import { Id } from '../../../platform/ids.ts'
import { requiredLine, StorableText } from '../../../platform/schemas.ts'
import { startConference } from './conference.ts'
import { cancelOutsideTransfer, startOutsideTransfer } from './request-outside.ts'
import { OutsideTransfer, Transfer } from './schemas.ts'
import { cancelTransfer, completeTransfer, startTransfer, type TransferParts } from './transfers.ts'

const ID_CHARACTERS_MAX = 128
const NUMBER_CHARACTERS_MAX = 64
const TransferReply = z.object({ transfer: Transfer })
const OfCall = z.object({ call_id: Id('cal') })
const OutsideReply = z.object({ outside_transfer: OutsideTransfer })
const OneTransfer = z.object({ call_id: Id('cal'), transfer_id: Id('tra') })

const NOT_CONTROLLER = { when: 'Another employee controls the call: `not_call_controller`.' }
const EDGE_UNREACHABLE = { when: 'The edge that has this call did not respond: `esl_unreachable`.' }

export const transferRoutes = (parts: TransferParts): Route[] => [
  route(
    {
      method: 'POST',
      path: '/calls/:call_id/transfers',
      name: 'start_transfer',
      summary: 'Transfer your call to a coworker, after talking to them first or blind',
      params: OfCall,
      body: z.object({
        employee_id: StorableText.max(ID_CHARACTERS_MAX)
          .nullish()
          .meta({ description: 'The id of the coworker.' }),
        is_blind: z.boolean().default(false).meta({
          description:
            'Whether the coworker gets the customer as soon as they answer. If they do not, you get the customer back.',
        }),
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
      transfer: await startTransfer(parts, actor, params.call_id, {
        employeeId: body.employee_id,
        isBlind: body.is_blind,
      }),
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
  route(
    {
      method: 'POST',
      path: '/calls/:call_id/outside_transfers',
      name: 'start_outside_transfer',
      toolSet: 'administration',
      summary: 'Transfer your call to a number outside the company, and leave it when somebody answers',
      params: OfCall,
      body: z.object({
        number: requiredLine(NUMBER_CHARACTERS_MAX).meta({
          description: 'The number to call, in E.164 or as it is dialled in the country of the company.',
        }),
      }),
      example: { number: '+4520998877' },
      reply: { 201: OutsideReply },
      refusals: {
        403: {
          when:
            'Another employee controls the call (`not_call_controller`), or the operator has not allowed these ' +
            'transfers (`outside_transfers_off`).',
        },
        409: {
          when:
            'The call is not in progress (`call_not_active`), another transfer of it is open ' +
            '(`transfer_in_progress`), or no carrier can call the number now (`number_unreachable`).',
        },
        422: { when: 'Bellhop does not call that number, or it is a coworker’s: `number_not_callable`.' },
        502: EDGE_UNREACHABLE,
      },
    },
    async ({ actor, params, body }) => ({
      outside_transfer: await startOutsideTransfer(parts, actor, params.call_id, body.number),
    }),
  ),
  route(
    {
      method: 'DELETE',
      path: '/calls/:call_id/outside_transfers/:outside_transfer_id',
      name: 'cancel_outside_transfer',
      toolSet: 'administration',
      summary: 'Take the customer back before anybody outside has answered',
      params: OfCall.extend({ outside_transfer_id: Id('out') }),
      reply: { 200: OutsideReply },
      refusals: {
        403: NOT_CONTROLLER,
        409: { when: 'The transfer is over (`transfer_not_open`).' },
        502: EDGE_UNREACHABLE,
      },
    },
    async ({ actor, params }) => ({
      outside_transfer: await cancelOutsideTransfer(parts, actor, params.call_id, params.outside_transfer_id),
    }),
  ),
]
