import { afterEach, expect, test } from 'vitest'

import { harness } from '../../test/harness/index.ts'
import { ANNA, loopbackTrunk, sdp, startAgent } from '../../test/harness/sip/agent.ts'
import { readConfig } from '../config.ts'
import { serveEdge } from '../roles/edge-http.ts'
import { serveWorker } from '../roles/worker-http.ts'
import type { Edge } from '../telephony/edge/edge.ts'
import { noteActivity } from './activity.ts'
import { nextTurn, throttleEventLoop, threadCpuMs, watchEventLoop } from './event-loop.ts'
import { createLog } from './log.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

/** For a busy machine. */
const PATIENCE = { timeout: 10_000 }

/** Longer than the threshold. */
const BLOCKED_MS = 300

/** Measured by CPU time: time that a busy machine gives to others does not count. */
function block(): void {
  const before = threadCpuMs()
  while (threadCpuMs() - before < BLOCKED_MS);
}

/** Watches the event loop, and returns what was named each time it was blocked. */
function watch() {
  const lines: string[] = []
  closers.push(
    watchEventLoop(createLog({ level: 'warn', destination: { write: (line) => lines.push(line) } })),
  )
  return () =>
    lines.flatMap((line) => {
      const said = JSON.parse(line) as { msg: string; during: string; recent: string[] }
      return said.msg === 'the event loop was blocked' ? said.recent.concat(said.during) : []
    })
}

test('a route that blocks the event loop is named in the log', async () => {
  const bellhop = await harness()
  const company = await bellhop.newCompany()
  const named = watch()
  const { now } = bellhop.clock
  bellhop.clock.now = () => {
    bellhop.clock.now = now
    block()
    return now()
  }
  expect((await company.api.get('/company')).status).toBe(200)
  await expect.poll(named, PATIENCE).toContain('GET /api/v1/company')
})

test('a call that blocks it is named by its Call-ID', async () => {
  const far = await startAgent({ trunks: [loopbackTrunk('anyone', 5060)], onInvite: () => block() })
  closers.push(() => far.agent.close())
  const near = await startAgent({ trunks: [loopbackTrunk('carrier', far.ports.udp)] })
  closers.push(() => near.agent.close())
  const named = watch()
  near.agent.invite({ to: 'trunk', trunk: 'carrier', number: '+4570000000' }, { from: ANNA, body: sdp() })
  await expect.poll(named, PATIENCE).toContainEqual(expect.stringMatching(/^SIP INVITE of the call \S+$/))
})

test('an idle process measures its delay less often, and what blocks it is still named', async () => {
  const lines: string[] = []
  const log = createLog({ level: 'warn', destination: { write: (line) => lines.push(line) } })
  let measuredAt = 0
  let isIdle = false
  closers.push(
    watchEventLoop(log, () => {
      isIdle ||= measuredAt > 0 && performance.now() - measuredAt > 500
      measuredAt = performance.now()
    }),
  )
  await expect.poll(() => isIdle, PATIENCE).toBe(true)
  noteActivity('work after a rest')
  block()
  await expect.poll(() => lines.join(), PATIENCE).toContain('work after a rest')
})

test('every role measures the delay of its event loop', async () => {
  const { url, parts } = await harness()
  const config = readConfig({ WORKER_HTTP_PORT: '0', EDGE_HTTP_PORT: '0' })
  const worker = (await serveWorker({ ...parts, config }))!
  const edge = await serveEdge({ ...parts, config, edge: { isDraining: () => false } as Edge })
  closers.push(worker.stop, edge.stop)
  for (const each of [url, worker.url, edge.url]) {
    expect((await fetch(`${each}/healthz`)).status).toBe(200)
    const metrics = await (await fetch(`${each}/metrics`)).text()
    expect(metrics).toContain('bellhop_event_loop_delay_seconds_bucket{le="0.25"}')
  }
})

test('the metrics of a worker require the token too', async () => {
  const config = readConfig({ WORKER_HTTP_PORT: '0', METRICS_TOKEN: 'a-token-of-sixteen' })
  const log = createLog({ level: 'silent' })
  const worker = (await serveWorker({ config, log }))!
  closers.push(worker.stop)
  expect((await fetch(`${worker.url}/metrics`)).status).toBe(401)
  const headers = { authorization: 'Bearer a-token-of-sixteen' }
  expect((await fetch(`${worker.url}/metrics`, { headers })).status).toBe(200)
})

test('a worker serves no HTTP unless a port is set', async () => {
  const log = createLog({ level: 'silent' })
  expect(await serveWorker({ config: readConfig({}), log })).toBeUndefined()
})

/** How long so many turns of the event loop take. */
async function turnsMs(turns: number): Promise<number> {
  const start = performance.now()
  for (let turn = 0; turn < turns; turn++) await nextTurn()
  return performance.now() - start
}

test('turns of a throttled event loop begin a millisecond apart, as many as were asked for', async () => {
  const throttle = throttleEventLoop(1)
  let throttledMs = 0
  for (let i = 0; i < 25; i++) {
    throttle(40)
    throttledMs += await turnsMs(20)
  }
  expect(throttledMs).toBeGreaterThan(490)
  // The rest of the last forty, and then no more.
  expect(await turnsMs(10_000)).toBeLessThan(10_000)
  throttle(40)
  throttle(0)
  expect(await turnsMs(10_000)).toBeLessThan(10_000)
})
