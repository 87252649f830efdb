/** Where a span is, by W3C Trace Context: 16 and 8 bytes in hexadecimal. */
export interface SpanContext {
  traceId: string
  spanId: string
}

/** Ids, counts and outcomes; never the name or number of a person. */
export type SpanAttributes = Record<string, string | number | boolean>

/** As OTLP numbers them. */
export const SPAN_KINDS = { internal: 1, server: 2, client: 3 } as const

export interface SpanOptions {
  kind?: keyof typeof SPAN_KINDS
  attributes?: SpanAttributes
  /** When it began, if that was before now. */
  at?: Date
}

/** In ms since 1970. */
export interface SpanTimes {
  startMs: number
  endMs: number
}

/** A part of a trace that has begun. */
export interface Span {
  readonly context: SpanContext
  child(name: string, options?: SpanOptions): Span
  set(attributes: SpanAttributes): void
  /** What it did went wrong. */
  fail(why: string): void
  /** For the header of a request to another program (W3C Trace Context). */
  readonly traceparent: string
  /** Passes it to the exporter; only the first time counts. The times, if it happened elsewhere, such as in a thread. */
  end(times?: SpanTimes): void
}

/** A part of a trace that is over. */
export interface FinishedSpan extends SpanTimes, Required<Omit<SpanOptions, 'at'>> {
  context: SpanContext
  /** None if it is the first of its trace. */
  parentSpanId: string | undefined
  name: string
  /** Undefined if all went well. */
  error: string | undefined
}

/**
 * Begins spans. A trace that is not sampled has none: `undefined` stands for it, and so it does for all traces if
 * there is no tracer, so that a process without one does nothing at all for them.
 */
export interface Tracer {
  /** The first span of the trace of a call. */
  root(callId: string, name: string, options?: SpanOptions): Span | undefined
  /** The same span as another process sees it: what it does for a call is part of the call's trace. */
  contextOf(callId: string): SpanContext | undefined
  /** A span below another, which may be of another process. */
  start(parent: SpanContext, name: string, options?: SpanOptions): Span
  /** A span that continues the trace of this `traceparent`, if it is one, and begins a trace otherwise. */
  receive(traceparent: string | undefined, name: string, options?: SpanOptions): Span | undefined
}
