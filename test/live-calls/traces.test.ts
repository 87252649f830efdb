import { randomBytes } from 'node:crypto'

import { afterAll, expect, test } from 'vitest'

import { decodeId, encodeId } from '../../server/platform/ids.ts'
import { createLog } from '../../server/platform/log.ts'
import { startTracing } from '../../server/platform/tracing/start-tracing.ts'
import { startEdge } from '../../server/roles/edge.ts'
import { callIs, eventually } from '../harness/calls/call-events.ts'
import { CUSTOMER, numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { otlpReceiver, type ReceivedSpan } from '../harness/peers/otlp-receiver.ts'
import { webhookSink } from '../harness/peers/webhook-sink.ts'
import { startRoleProcess } from '../harness/processes/edge-process.ts'

const BELLHOP_SECRET = 'a secret of all processes of the test'
const collector = await otlpReceiver()
const logged: string[] = []
const log = createLog({ level: 'info', destination: { write: (line) => void logged.push(line) } })

function traceTo(url: string) {
  const tracing = startTracing(
    { url: `${url}/v1/traces`, headers: {}, serviceName: 'bellhop', ratio: 1 },
    { version: '0.0.0', log },
  )
  afterAll(tracing.stop)
  return tracing
}

const phoneSystem = await openPhoneSystem(
  { BELLHOP_SECRET, BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' },
  { tracer: traceTo(collector.url).tracer },
  { tracer: traceTo(collector.url).tracer },
)
const { bellhop, dial, hire } = phoneSystem
const OF_A_CALL = [
  'conversation',
  'deliver webhook',
  'deliver webhook',
  'deliver webhook',
  'inbound call',
  'queue',
  'ring employee',
  'ring employee',
  'ring phone',
  'ring phone',
  'say',
  'set up',
  'store recording',
]

test('one trace leads from the INVITE of a carrier through the queue to the webhooks', async () => {
  const company = await bellhop.newCompany()
  const sink = await webhookSink()
  sink.answer = ({ body }) => ({ status: body.event === 'call.queued' ? 500 : 200 })
  const webhook = { name: 'Ours', url: sink.url, events: ['call.queued', 'call.answered', 'call.ended'] }
  expect((await company.api.post('/webhooks', webhook)).status).toBe(201)
  const anna = await hire(company, 'Anna', 700)
  const bob = await hire(company, 'Bob', 800)
  const flow = { type: 'WelcomeTransferConfig', employee_ids: [anna.id, bob.id], welcome: 'Hello.' }
  const made = await numberWith(bellhop, company, flow, { recording_enabled: true })
  // Before the worker starts, which would load an engine of its own to speak the greeting.
  await bellhop.drainJobs()
  const worker = await startRoleProcess('worker', bellhop.db.address, {
    BELLHOP_SECRET,
    BELLHOP_DATA_DIR: bellhop.dataDir,
    BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1',
    TRANSCRIPTION_ENGINE: 'off',
    EMBEDDINGS: 'off',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_SERVICE_NAME: 'bellhop-worker',
  })
  const startedAt = BigInt(Date.now()) * 1_000_000n
  const caller = await dial(made.number)
  await caller.connected()
  const [annasRing, bobsRing] = await Promise.all([anna.rings(), bob.rings()])
  await bobsRing.answer()
  await annasRing.ended()
  await Promise.all([caller.hears(800), bobsRing.hears(440)])
  caller.hangUp()
  await bobsRing.ended()
  const call = await callIs(company, 'ended')

  const traceId = decodeId('cal', call.id)!.replaceAll('-', '')
  const trace = () => collector.spans.filter((span) => span.traceId === traceId)
  await eventually(() => expect(trace().map(({ name }) => name)).toEqual(expect.arrayContaining(OF_A_CALL)))
  // All that was ended is sent.
  worker.signal('SIGTERM')
  expect(await worker.ended).toBe(0)
  const spans = trace().filter(({ name }) => !name.startsWith('job '))
  expect(spans.map(({ name }) => name).toSorted()).toEqual(OF_A_CALL)
  expect(collector.problems).toEqual([])
  const named = (name: string) => spans.filter((span) => span.name === name)
  const [root] = named('inbound call')
  const parentOf = ({ parentSpanId }: ReceivedSpan) =>
    spans.find(({ spanId }) => spanId === parentSpanId)?.name
  expect(root).toMatchObject({
    kind: 2,
    attributes: {
      'bellhop.call.id': call.id,
      'bellhop.company.id': encodeId('com', company.companyId),
      'bellhop.number.id': made.id,
      'bellhop.outcome': 'customer_hung_up',
      'bellhop.call.answered': true,
    },
    status: {},
  })
  expect(root!.parentSpanId).toBeUndefined()
  for (const name of ['set up', 'say', 'queue', 'conversation', 'store recording', 'deliver webhook'])
    for (const span of named(name)) expect(parentOf(span), name).toBe('inbound call')
  for (const span of named('ring employee')) expect(parentOf(span)).toBe('queue')
  for (const span of named('ring phone')) expect(parentOf(span)).toBe('ring employee')
  expect(named('ring phone').map(({ attributes }) => attributes['bellhop.outcome'])).toEqual(
    expect.arrayContaining(['answered', 'cancelled']),
  )
  expect(named('conversation')[0]!.attributes['bellhop.employee.id']).toBe(bob.id)

  const steps = ['set up', 'say', 'queue', 'conversation', 'store recording'].map((name) => named(name)[0]!)
  for (const [i, step] of steps.entries()) {
    const before = i === 0 ? startedAt : steps[i - 1]!.startTimeUnixNano
    expect(step.startTimeUnixNano, step.name).toBeGreaterThanOrEqual(before)
    expect(step.endTimeUnixNano, step.name).toBeLessThanOrEqual(root!.endTimeUnixNano)
  }
  for (const span of spans) {
    expect(span.startTimeUnixNano, span.name).toBeGreaterThanOrEqual(root!.startTimeUnixNano)
    expect(span.endTimeUnixNano, span.name).toBeGreaterThanOrEqual(span.startTimeUnixNano)
  }

  const deliveries = named('deliver webhook')
  const outcomes = deliveries.map(({ attributes, status, resource, kind }) => [
    attributes['bellhop.event.name'],
    attributes['http.response.status_code'],
    status.message,
    resource['service.name'],
    kind,
  ])
  expect(outcomes.toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual([
    ['call.answered', '200', undefined, 'bellhop-worker', 3],
    ['call.ended', '200', undefined, 'bellhop-worker', 3],
    ['call.queued', '500', 'refused', 'bellhop-worker', 3],
  ])
  expect(sink.received.map(({ headers }) => String(headers.traceparent)).toSorted()).toEqual(
    deliveries.map(({ spanId }) => `00-${traceId}-${spanId}-01`).toSorted(),
  )
  expect(new Set(spans.map(({ resource }) => resource['service.instance.id'])).size).toBe(2)

  // Whoever reads traces need not know who calls.
  for (const personal of [CUSTOMER, made.number, 'Anna', 'Bob', 'example.com'])
    expect(collector.raw.join('\n')).not.toContain(personal)
})

const ids = () => ({ trace: randomBytes(16).toString('hex'), span: randomBytes(8).toString('hex') })

test('a request is part of the trace that its client names, unless that is not sampled', async () => {
  const company = await bellhop.newCompany()
  const [followed, unsampled] = [ids(), ids()]
  const headersOf = ({ trace, span }: ReturnType<typeof ids>, flags: string) => ({
    'x-api-key': company.key,
    traceparent: `00-${trace}-${span}-${flags}`,
  })
  const get = async (path: string, headers: Record<string, string>) =>
    (await fetch(`${bellhop.url}/api/v1${path}`, { headers })).status
  expect(await get('/contacts', headersOf(unsampled, '00'))).toBe(200)
  expect(await get('/contacts/con_none', headersOf(followed, '01'))).toBe(404)
  await eventually(() =>
    expect(collector.spans).toContainEqual(
      expect.objectContaining({
        traceId: followed.trace,
        parentSpanId: followed.span,
        name: 'GET /api/v1/contacts/:id',
        kind: 2,
        attributes: expect.objectContaining({
          'http.route': '/api/v1/contacts/:id',
          'http.response.status_code': '404',
        }),
      }),
    ),
  )
  expect(collector.spans.filter(({ traceId }) => traceId === unsampled.trace)).toEqual([])
})

const warnings = () => logged.filter((line) => line.includes('the collector does not take traces'))

test('a collector that is away is a line in the log, and calls go on', async () => {
  // Nothing listens there.
  const away = traceTo('http://127.0.0.1:9')
  const edge = await startEdge({ ...bellhop.parts, tracer: away.tracer })
  phoneSystem.connectCarrier('untraced', edge.port)
  const company = await bellhop.newCompany()
  const anna = await phoneSystem.hireAt(edge.port)(company, 'Anna', 700)
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const caller = await dial(number, { over: 'untraced' })
  await caller.connected()
  const phone = await anna.rings()
  await phone.answer()
  await Promise.all([caller.hears(700), phone.hears(440)])
  await eventually(() => expect(warnings()).toHaveLength(1))
  caller.hangUp()
  await phone.ended()
  const stopping = performance.now()
  await away.stop()
  expect(performance.now() - stopping).toBeLessThan(5_000)
  expect(warnings()).toHaveLength(1)
  await edge.stop()
})
