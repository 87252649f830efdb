import { randomBytes } from 'node:crypto'

import type { SpanContext } from './span.ts'

/**
 * A uuid has as many bytes as the id of a trace, and its second half, which is random, as many as that of a span. So
 * every process knows the trace of a call by the id of the call, and nothing need be stored or passed on.
 */
export function contextOfUuid(uuid: string): SpanContext {
  const traceId = uuid.replaceAll('-', '')
  return { traceId, spanId: traceId.slice(16) }
}

export const newTraceId = () => randomBytes(16).toString('hex')
export const newSpanId = () => randomBytes(8).toString('hex')

/**
 * By the last 7 bytes of its id, which are random (Trace Context level 2): all processes decide alike, and so do other
 * programs with the same ratio.
 */
export function isSampled({ traceId }: Pick<SpanContext, 'traceId'>, ratio: number): boolean {
  return parseInt(traceId.slice(-14), 16) / 2 ** 56 >= 1 - ratio
}

export const traceparentOf = ({ traceId, spanId }: SpanContext) => `00-${traceId}-${spanId}-01`

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-|$)/
const SAMPLED = 1

/** Undefined if it is not valid: a trace begins then. */
export function parseTraceparent(text: string): (SpanContext & { isSampled: boolean }) | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(text) ?? []
  if (!traceId || !spanId || !flags) return undefined
  return { traceId, spanId, isSampled: (parseInt(flags, 16) & SAMPLED) === SAMPLED }
}
