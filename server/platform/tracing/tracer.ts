import type { Clock } from '../clock.ts'
import type {
  FinishedSpan,
  Span,
  SpanAttributes,
  SpanContext,
  SpanOptions,
  SpanTimes,
  Tracer,
} from './span.ts'
import {
  contextOfUuid,
  isSampled,
  newSpanId,
  newTraceId,
  parseTraceparent,
  traceparentOf,
} from './trace-context.ts'

interface TracerParts {
  clock: Clock
  /** The share of traces that is recorded, from 0 to 1. */
  ratio: number
  onEnd(span: FinishedSpan): void
}

export function createTracer(parts: TracerParts): Tracer {
  const { ratio } = parts

  function contextOf(callId: string): SpanContext | undefined {
    const context = contextOfUuid(callId)
    return isSampled(context, ratio) ? context : undefined
  }

  return {
    contextOf,
    root(callId, name, options) {
      const context = contextOf(callId)
      return context && new LiveSpan(parts, context, undefined, name, options)
    },
    start: (parent, name, options) => new LiveSpan(parts, below(parent), parent.spanId, name, options),
    receive(traceparent, name, options) {
      const parent = traceparent === undefined ? undefined : parseTraceparent(traceparent)
      if (parent)
        return parent.isSampled ? new LiveSpan(parts, below(parent), parent.spanId, name, options) : undefined
      const context = { traceId: newTraceId(), spanId: newSpanId() }
      return isSampled(context, ratio) ? new LiveSpan(parts, context, undefined, name, options) : undefined
    },
  }
}

const below = ({ traceId }: SpanContext): SpanContext => ({ traceId, spanId: newSpanId() })

class LiveSpan implements Span {
  readonly context: SpanContext
  readonly #parts: TracerParts
  readonly #parentSpanId: string | undefined
  readonly #name: string
  readonly #kind: FinishedSpan['kind']
  readonly #attributes: SpanAttributes
  readonly #startMs: number
  #error: string | undefined
  #isOver = false

  constructor(
    parts: TracerParts,
    context: SpanContext,
    parentSpanId: string | undefined,
    name: string,
    { kind = 'internal', attributes = {}, at = parts.clock.now() }: SpanOptions = {},
  ) {
    this.context = context
    this.#parts = parts
    this.#parentSpanId = parentSpanId
    this.#name = name
    this.#kind = kind
    this.#attributes = { ...attributes }
    this.#startMs = at.getTime()
  }

  child(name: string, options?: SpanOptions): Span {
    return new LiveSpan(this.#parts, below(this.context), this.context.spanId, name, options)
  }

  set(attributes: SpanAttributes): void {
    if (!this.#isOver) Object.assign(this.#attributes, attributes)
  }

  fail(why: string): void {
    if (!this.#isOver) this.#error = why
  }

  get traceparent(): string {
    return traceparentOf(this.context)
  }

  end({ startMs = this.#startMs, endMs = this.#parts.clock.now().getTime() }: Partial<SpanTimes> = {}): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#parts.onEnd({
      context: this.context,
      parentSpanId: this.#parentSpanId,
      name: this.#name,
      kind: this.#kind,
      attributes: this.#attributes,
      startMs,
      endMs,
      error: this.#error,
    })
  }
}
