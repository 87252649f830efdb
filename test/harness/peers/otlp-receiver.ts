import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

import { z } from 'zod'

import { afterFile } from '../after-file.ts'

const Value = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
  z.strictObject({ doubleValue: z.number() }),
])
const Attributes = z
  .array(z.strictObject({ key: z.string(), value: Value }))
  .transform((pairs) =>
    Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0] as string | boolean])),
  )
const Nanos = z
  .string()
  .regex(/^\d{19}$/)
  .transform(BigInt)

const Span = z.strictObject({
  traceId: z.string().regex(/^(?!0{32})[0-9a-f]{32}$/),
  spanId: z.string().regex(/^(?!0{16})[0-9a-f]{16}$/),
  parentSpanId: z
    .string()
    .regex(/^(?!0{16})[0-9a-f]{16}$/)
    .optional(),
  name: z.string().min(1),
  kind: z.int().min(1).max(5),
  startTimeUnixNano: Nanos,
  endTimeUnixNano: Nanos,
  attributes: Attributes,
  status: z.strictObject({ code: z.literal(2).optional(), message: z.string().optional() }),
})

/** As opentelemetry-proto 1 defines it: ids in hexadecimal, numbers of 64 bits as strings. */
const ExportTraceServiceRequest = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes: Attributes }),
      scopeSpans: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string(), version: z.string() }),
          spans: z.array(Span),
        }),
      ),
    }),
  ),
})

export interface ReceivedSpan extends z.output<typeof Span> {
  resource: z.output<typeof Attributes>
}

/** A collector of OpenTelemetry that keeps the spans it is sent. Closed after the file's tests. */
export async function otlpReceiver() {
  const spans: ReceivedSpan[] = []
  const raw: string[] = []
  const problems: string[] = []
  let status = 200
  let refused = 0
  const server = createServer(async (request, response) => {
    const body = await text(request)
    if (status !== 200) {
      refused++
      response.writeHead(status).end()
      return
    }
    raw.push(body)
    const parsed = ExportTraceServiceRequest.safeParse(JSON.parse(body))
    const isAsked =
      request.method === 'POST' &&
      request.url === '/v1/traces' &&
      request.headers['content-type'] === 'application/json'
    if (!isAsked) problems.push(`${request.method} ${request.url} ${request.headers['content-type']}`)
    if (!parsed.success) problems.push(z.prettifyError(parsed.error))
    else
      for (const { resource, scopeSpans } of parsed.data.resourceSpans)
        for (const each of scopeSpans.flatMap((scope) => scope.spans))
          spans.push({ ...each, resource: resource.attributes })
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"partialSuccess":{}}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterFile(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    /** The bodies, as they came. */
    raw,
    /** What is not as OTLP has it. */
    problems,
    /** The status of further responses. */
    /** How many requests got another status than 200. */
    refused: () => refused,
    answerWith: (next: number) => (status = next),
  }
}
