import { type FinishedSpan, SPAN_KINDS, type SpanAttributes } from './span.ts'

/** What all spans of a process have in common. */
export interface TracedProcess {
  resource: SpanAttributes
  version: string
}

const STATUS_ERROR = 2

/** The body of an export: an ExportTraceServiceRequest of OTLP 1, as JSON. */
export function otlpJson({ resource, version }: TracedProcess, spans: FinishedSpan[]): string {
  const scope = { name: 'bellhop', version }
  return JSON.stringify({
    resourceSpans: [
      { resource: { attributes: pairsOf(resource) }, scopeSpans: [{ scope, spans: spans.map(spanJson) }] },
    ],
  })
}

function spanJson(span: FinishedSpan) {
  const { context, parentSpanId, name, kind, startMs, endMs, attributes, error } = span
  return {
    ...context,
    ...(parentSpanId !== undefined && { parentSpanId }),
    name,
    kind: SPAN_KINDS[kind],
    startTimeUnixNano: nanosOf(startMs),
    endTimeUnixNano: nanosOf(endMs),
    attributes: pairsOf(attributes),
    status: error === undefined ? {} : { code: STATUS_ERROR, message: error },
  }
}

/** A number of 64 bits is a string in the JSON of OTLP. */
const nanosOf = (ms: number) => `${ms}000000`

const pairsOf = (attributes: SpanAttributes) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: valueJson(value) }))

function valueJson(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
