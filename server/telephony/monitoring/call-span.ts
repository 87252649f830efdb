import type { CallRef } from '../../modules/calls/index.ts'
import { encodeId } from '../../platform/ids.ts'
import type { Span, Tracer } from '../../platform/tracing/span.ts'
import type { CustomerCall } from '../call/customer-call.ts'

interface CallFacts extends Pick<CustomerCall, 'direction'> {
  edgeId: string
  numberId: string
  /** When a carrier brought it. */
  at?: Date | undefined
}

/** The span of a whole call, below which is all that happens to it. Undefined if the call is not sampled. */
export function startCallSpan(
  tracer: Tracer,
  { companyId, callId }: CallRef,
  { direction, edgeId, numberId, at }: CallFacts,
): Span | undefined {
  return tracer.root(callId, `${direction} call`, {
    kind: direction === 'inbound' ? 'server' : 'client',
    attributes: {
      'bellhop.call.id': encodeId('cal', callId),
      'bellhop.company.id': encodeId('com', companyId),
      'bellhop.number.id': encodeId('num', numberId),
      'bellhop.edge.id': edgeId,
    },
    ...(at && { at }),
  })
}
