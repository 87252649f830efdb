import { decodeId, encodeId } from '../../../../platform/ids.ts'
import type { Span, SpanContext, Tracer } from '../../../../platform/tracing/span.ts'
import type { DueDelivery, EventRow } from '../queries.ts'
import type { EndedAttempt } from './sender.ts'

/** An event of a call or of a voicemail is part of the trace of the call, whose id is the first field of its data. */
export function traceOfEvent(tracer: Tracer, { data }: EventRow): SpanContext | undefined {
  if (data === null) return undefined
  const { id } = JSON.parse(data) as { id?: string }
  const callId = id === undefined ? undefined : decodeId('cal', id)
  return callId === undefined ? undefined : tracer.contextOf(callId)
}

/** One attempt. The delivery of an event that is about no call is a trace of its own. */
export function startDeliverySpan(
  tracer: Tracer,
  ofCall: SpanContext | undefined,
  subscriptionId: string,
  due: DueDelivery,
): Span | undefined {
  const options = {
    kind: 'client' as const,
    attributes: {
      'bellhop.event.name': due.eventName,
      'bellhop.webhook.id': encodeId('web', subscriptionId),
      'bellhop.delivery.id': encodeId('del', due.id),
      'bellhop.delivery.attempt': due.tries + 1,
      'http.request.method': 'POST',
    },
  }
  const name = 'deliver webhook'
  return ofCall ? tracer.start(ofCall, name, options) : tracer.receive(undefined, name, options)
}

/** Not for one that was called off: it was never made. */
export function endDeliverySpan(span: Span, { outcome, start, end }: EndedAttempt): void {
  if ('status' in outcome) span.set({ 'http.response.status_code': outcome.status })
  if (!outcome.ok) span.fail(outcome.why)
  span.end({ startMs: start, endMs: end })
}
