import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'

import { afterAll, expect, test, vi } from 'vitest'

import { otlpReceiver } from '../../../test/harness/peers/otlp-receiver.ts'
import { createTestClock } from '../../../test/harness/test-clock.ts'
import { createLog } from '../log.ts'
import { packageRoot } from '../package-root.ts'
import { TRACING_LIMITS } from './limits.ts'
import { startTracing } from './start-tracing.ts'

/** Tracing to a collector, by a clock that the test moves. */
function openTracing(url: string, { ratio = 1, headers = {} } = {}) {
  const logged: string[] = []
  const log = createLog({ level: 'info', destination: { write: (line) => void logged.push(line) } })
  const clock = createTestClock()
  const options = { url: `${url}/v1/traces`, headers, serviceName: 'bellhop', ratio }
  const tracing = startTracing(options, { version: '1.2.3', log, clock })
  /** Lets time pass until this holds. */
  const until = (condition: () => void) =>
    vi.waitFor(
      () => {
        clock.advance(1_000)
        condition()
      },
      { timeout: 20_000 },
    )
  const record = (count: number) => {
    for (let i = 0; i < count; i++) tracing.tracer.root(randomUUID(), 'a call')!.end()
  }
  return { ...tracing, clock, logged, record, until }
}

test('spans are sent together after a moment, with who sent them', async () => {
  const collector = await otlpReceiver()
  const { tracer, clock, record } = openTracing(collector.url)
  const callId = randomUUID()
  const span = tracer.root(callId, 'a call', { attributes: { share: 0.5 } })!
  clock.advance(1_500)
  span.child('its end').end()
  span.set({ count: 3, done: true })
  span.fail('it failed')
  span.end()
  span.set({ count: 4 })
  record(1)
  expect(collector.raw).toEqual([])
  clock.advance(TRACING_LIMITS.batchMs)
  await vi.waitFor(() => expect(collector.spans).toHaveLength(3))
  expect(collector.raw).toHaveLength(1)
  expect(collector.problems).toEqual([])
  const traceId = callId.replaceAll('-', '')
  const [child, call] = collector.spans
  expect(child).toMatchObject({ traceId, parentSpanId: call!.spanId, name: 'its end', status: {} })
  expect(call).toMatchObject({
    traceId,
    spanId: traceId.slice(16),
    attributes: { share: 0.5, count: '3', done: true },
    status: { code: 2, message: 'it failed' },
    resource: { 'service.name': 'bellhop', 'service.version': '1.2.3', 'process.pid': String(process.pid) },
  })
  expect(call!.endTimeUnixNano - call!.startTimeUnixNano).toBe(1_500_000_000n)
})

test('a collector that is busy gets everything later, up to a limit, and is complained about once', async () => {
  const collector = await otlpReceiver()
  const { logged, record, until } = openTracing(collector.url)
  collector.answerWith(503)
  record(TRACING_LIMITS.waitingMax + 7)
  await until(() => expect(collector.refused()).toBe(3))
  collector.answerWith(200)
  await until(() => expect(collector.spans).toHaveLength(TRACING_LIMITS.waitingMax))
  expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(TRACING_LIMITS.waitingMax)
  const said = logged.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(said).toMatchObject([
    { level: 'warn', reason: 'status 503: ' },
    { level: 'info', dropped: 7 },
  ])
})

test('spans that the collector will never take are not sent again', async () => {
  const collector = await otlpReceiver()
  const { logged, record, until } = openTracing(collector.url)
  collector.answerWith(400)
  record(1)
  await until(() => expect(logged).toHaveLength(1))
  collector.answerWith(200)
  record(1)
  await until(() => expect(logged).toHaveLength(2))
  expect(collector.spans).toHaveLength(1)
})

test('at its end a process sends what waits, and waits a second at most for a collector that is silent', async () => {
  const collector = await otlpReceiver()
  const ends = openTracing(collector.url)
  ends.record(TRACING_LIMITS.batchMax + 1)
  await ends.stop()
  expect(collector.spans).toHaveLength(TRACING_LIMITS.batchMax + 1)

  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  afterAll(() => void silent.close())
  const waits = openTracing(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`)
  waits.record(1)
  const stopped = waits.stop()
  waits.clock.advance(TRACING_LIMITS.flushMs)
  await stopped
  waits.clock.advance(TRACING_LIMITS.answerMs)
})

test('a process that sends no traces loads nothing of this', async () => {
  const importing: string[] = []
  for (const folder of ['bin', 'server'])
    for (const name of await readdir(join(packageRoot, folder), { recursive: true })) {
      if (!name.endsWith('.ts') || /\.test\.ts$|platform\/tracing\//.test(name)) continue
      const source = await readFile(join(packageRoot, folder, name), 'utf8')
      if (/^import (?!type ).*\/tracing\//m.test(source)) importing.push(name)
    }
  expect(importing).toEqual([])
  expect(await readFile(join(packageRoot, 'server/main.ts'), 'utf8')).toContain(
    "=> import('./platform/tracing/",
  )
})

test('all processes choose the same traces, about as many as they should', async () => {
  const collector = await otlpReceiver()
  const [one, other] = [0, 0].map(() => openTracing(collector.url, { ratio: 0.25 }).tracer)
  const ids = Array.from({ length: 4_000 }, () => randomUUID())
  const chosen = ids.filter((id) => one!.contextOf(id))
  expect(chosen).toEqual(ids.filter((id) => other!.contextOf(id)))
  expect(chosen.length).toBeGreaterThan(850)
  expect(chosen.length).toBeLessThan(1_150)
  const none = openTracing(collector.url, { ratio: 0 }).tracer
  expect(ids.filter((id) => none.contextOf(id))).toEqual([])
})

test.each([
  ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', true],
  ['01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-of-a-later-version', true],
  ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01x', false],
  ['ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', false],
  ['00-00000000000000000000000000000000-b7ad6b7169203331-01', false],
  ['00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01', false],
  ['00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01', false],
  ['nonsense', false],
])('the traceparent %s is followed: %s', async (traceparent, isFollowed) => {
  const { tracer } = openTracing('http://127.0.0.1:9')
  const { context } = tracer.receive(traceparent, 'a request')!
  expect(context.traceId === '0af7651916cd43dd8448eb211c80319c').toBe(isFollowed)
})
