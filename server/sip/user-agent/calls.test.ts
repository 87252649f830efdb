import { afterEach, describe, expect, test, vi } from 'vitest'

import {
  ANNA,
  type TestAgent,
  follow,
  loopbackTrunk,
  sdp,
  startAgent,
} from '../../../test/harness/sip/agent.ts'
import { AsyncQueue } from '../../../test/harness/sip/async-queue.ts'
import { createTestClock } from '../../../test/harness/test-clock.ts'
import { type Clock, systemClock } from '../../platform/clock.ts'
import { SESSION_EXPIRES_S } from '../dialog/session-timer.ts'
import type { SipCall, UserAgentOptions } from '../index.ts'
import { TIMEOUT_64_T1_MS } from '../transaction/timers.ts'

const open: TestAgent[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map(({ agent }) => agent.close()))
})

/** Two user agents that trust each other's address, over UDP or TCP. */
async function pair(options: { protocol?: 'udp' | 'tcp' } & Partial<UserAgentOptions> = {}) {
  const { protocol = 'udp', ...rest } = options
  const caller = await startAgent(rest)
  const callee = await startAgent(rest)
  open.push(caller, callee)
  callee.agent.setTrunks([loopbackTrunk('caller', caller.ports[protocol], { protocol })])
  caller.agent.setTrunks([loopbackTrunk('callee', callee.ports[protocol], { protocol })])
  return { caller, callee }
}

/** A call that rings at the callee. */
async function ring({ caller, callee }: Awaited<ReturnType<typeof pair>>) {
  const target = { to: 'trunk', trunk: 'callee', number: '+4570000000' } as const
  const out = caller.agent.invite(target, { from: ANNA, body: sdp(40_000) })
  const outgoing = follow(out)
  const into = await callee.calls.take()
  const incoming = follow(into)
  return { out, outgoing, into, incoming }
}

/** A call that is answered and acknowledged. */
async function connect(agents: Awaited<ReturnType<typeof pair>>) {
  const call = await ring(agents)
  call.into.accept(sdp(40_002))
  await call.outgoing.next('answered')
  await call.incoming.next('connected')
  return call
}

describe.each(['udp', 'tcp'] as const)('over %s', (protocol) => {
  test('a call rings, plays early media, is answered and hung up by the caller', async () => {
    const { out, outgoing, into, incoming } = await ring(await pair({ protocol }))
    expect(into.peer).toEqual({ kind: 'trunk', trunk: 'caller' })
    expect(into.from).toMatchObject({ name: 'Anna', uri: { user: '+4520000001' } })
    expect(into.uri).toMatchObject({ user: '+4570000000' })
    expect(into.body).toEqual(sdp(40_000))
    into.ring()
    await outgoing.next('ringing')
    into.progress(sdp(40_002))
    expect((await outgoing.next('progress')).body).toEqual(sdp(40_002))
    into.accept(sdp(40_002))
    expect((await outgoing.next('answered')).body).toEqual(sdp(40_002))
    await incoming.next('connected')
    out.hangUp()
    expect((await incoming.next('ended')).ending).toEqual({ why: 'hungUp', by: 'peer' })
    expect((await outgoing.next('ended')).ending).toEqual({ why: 'hungUp', by: 'us' })
  })

  test('the callee can hang up, too', async () => {
    const { outgoing, into, incoming } = await connect(await pair({ protocol }))
    into.hangUp()
    expect((await outgoing.next('ended')).ending).toEqual({ why: 'hungUp', by: 'peer' })
    expect((await incoming.next('ended')).ending).toEqual({ why: 'hungUp', by: 'us' })
  })

  test('a refusal reaches the caller with its status', async () => {
    const { outgoing, into } = await ring(await pair({ protocol }))
    into.reject(486)
    const { ending } = await outgoing.next('ended')
    expect(ending).toEqual({ why: 'refused', by: 'peer', status: 486, reason: 'Busy Here' })
  })

  test('a cancelled call stops ringing', async () => {
    const { out, outgoing, into, incoming } = await ring(await pair({ protocol }))
    into.ring()
    await outgoing.next('ringing')
    out.hangUp()
    expect((await incoming.next('ended')).ending).toEqual({ why: 'cancelled' })
    expect((await outgoing.next('ended')).ending).toEqual({ why: 'cancelled' })
  })
})

test('a closed user agent leaves no timers of its calls', async () => {
  const sessionTimers = new Set<object>()
  const after: Clock['after'] = (ms, run) => {
    const timer = {}
    if (ms > 60_000) sessionTimers.add(timer)
    const stop = systemClock.after(ms, run)
    return () => {
      sessionTimers.delete(timer)
      stop()
    }
  }
  await connect(await pair({ clock: { ...systemClock, after } }))
  await vi.waitFor(() => expect(sessionTimers.size).toBe(2), { timeout: 30_000 })
  await Promise.all(open.splice(0).map(({ agent }) => agent.close()))
  expect(sessionTimers.size).toBe(0)
})

test('a call that is cancelled before the first response is still cancelled', async () => {
  const { out, outgoing, incoming } = await ring(await pair())
  out.hangUp()
  expect((await incoming.next('ended')).ending).toEqual({ why: 'cancelled' })
  expect((await outgoing.next('ended')).ending).toEqual({ why: 'cancelled' })
})

test('an answer that crosses with a CANCEL is hung up at once', async () => {
  const { out, outgoing, into, incoming } = await ring(await pair())
  into.ring()
  await outgoing.next('ringing')
  into.accept(sdp())
  out.hangUp()
  expect((await outgoing.next('ended')).ending).toEqual({ why: 'cancelled' })
  expect((await incoming.next('ended')).ending).toEqual({ why: 'hungUp', by: 'peer' })
})

test('a hang-up right after the answer waits for the ACK', async () => {
  const { outgoing, into, incoming } = await ring(await pair())
  into.accept(sdp())
  into.hangUp()
  await outgoing.next('answered')
  expect((await outgoing.next('ended')).ending).toEqual({ why: 'hungUp', by: 'peer' })
  expect((await incoming.next('ended')).ending).toEqual({ why: 'hungUp', by: 'us' })
})

describe('within a call', () => {
  const changes = {
    reinvite: (call: SipCall) => call.reinvite(sdp(40_004, 'sendonly')),
    update: (call: SipCall) => call.update(sdp(40_004, 'sendonly')),
  }

  test.each(['reinvite', 'update'] as const)('either side changes the session by %s', async (change) => {
    const { out, outgoing, into, incoming } = await connect(await pair())
    const sides = [
      { from: out, to: incoming },
      { from: into, to: outgoing },
    ]
    for (const { from, to } of sides) {
      const outcome = changes[change](from)
      const { offer } = await to.next('offer')
      expect(offer.body).toEqual(sdp(40_004, 'sendonly'))
      offer.accept(sdp(40_006, 'recvonly'))
      expect(await outcome).toEqual({ ok: true, body: sdp(40_006, 'recvonly') })
    }
  })

  test('a change that is refused leaves the call as it was', async () => {
    const { out, into, incoming } = await connect(await pair())
    const outcome = out.reinvite(sdp(40_004))
    ;(await incoming.next('offer')).offer.refuse(488)
    expect(await outcome).toEqual({ ok: false, status: 488 })
    expect(into.isOver).toBe(false)
  })

  test('simultaneous changes by both sides both succeed, one after the other', async () => {
    const { out, outgoing, into, incoming } = await connect(await pair())
    out.listen((event) => event.type === 'offer' && event.offer.accept(sdp(1)))
    into.listen((event) => event.type === 'offer' && event.offer.accept(sdp(2)))
    const outcomes = await Promise.all([out.reinvite(sdp(40_004)), into.reinvite(sdp(40_006))])
    expect(outcomes).toEqual([
      { ok: true, body: sdp(2) },
      { ok: true, body: sdp(1) },
    ])
    expect([outgoing, incoming].flatMap(({ events }) => events.waiting)).toEqual([])
  })

  test('an SDP offer of ours in the 2xx is answered in the ACK', async () => {
    const { into, incoming, out } = await connect(await pair())
    void out.reinvite(undefined)
    const { offer } = await incoming.next('offer')
    expect(offer.body).toBeUndefined()
    offer.accept(sdp(40_008))
    expect(into.isOver).toBe(false)
  })

  test('digits and their like go both ways by INFO', async () => {
    const { out, outgoing, into, incoming } = await connect(await pair())
    const body = { contentType: 'application/dtmf-relay', bytes: Buffer.from('Signal=5\r\nDuration=160\r\n') }
    expect(await out.info(body)).toBe(200)
    expect((await incoming.next('info')).body).toEqual(body)
    expect(await into.info(body)).toBe(200)
    expect((await outgoing.next('info')).body).toEqual(body)
  })

  test('either side sends a REFER and receives reports on it', async () => {
    const { out, outgoing, into, incoming } = await connect(await pair())
    const sides = [
      { from: out, to: incoming },
      { from: into, to: outgoing },
    ]
    const asked = { target: 'sip:+4530000003@example.com', referredBy: '<sip:anna@example.com>' }
    for (const { from, to } of sides) {
      const reports = new AsyncQueue<number>()
      const refused = from.refer(asked, reports.put)
      ;(await to.next('transfer')).transfer.refuse(603)
      expect(await refused).toBe(603)

      const accepted = from.refer(asked, reports.put)
      const { transfer } = await to.next('transfer')
      expect(transfer).toMatchObject({
        target: { user: '+4530000003', host: 'example.com' },
        referredBy: '<sip:anna@example.com>',
        replaces: undefined,
      })
      transfer.accept()
      expect(await accepted).toBe(202)
      expect(await reports.take()).toBe(100)
      expect(await from.refer(asked, reports.put)).toBe(491)
      transfer.report(486)
      expect(await reports.take()).toBe(486)
    }
    expect(into.isOver).toBe(false)
  })
})

test('a call is refreshed while both sides respond, and ends when one is gone', async () => {
  const clock = createTestClock()
  const agents = await pair({ clock })
  const { out, outgoing, incoming } = await connect(agents)
  const body = { contentType: 'text/plain', bytes: Buffer.from('still there?') }
  for (let seconds = 0; seconds < 3 * SESSION_EXPIRES_S; seconds += 100) {
    clock.advance(100_000)
    // Sent after a refresh that may be due, so its response comes after it.
    expect(await out.info(body)).toBe(200)
  }
  expect(outgoing.events.waiting).toEqual([])
  await agents.caller.agent.close()
  clock.advance(SESSION_EXPIRES_S * 1_000)
  expect((await incoming.next('ended')).ending).toEqual({ why: 'lost' })
})

test('a call whose answer is never acknowledged ends', async () => {
  const clock = createTestClock()
  const agents = await pair({ clock })
  const { into, incoming } = await ring(agents)
  await agents.caller.agent.close()
  into.accept(sdp())
  clock.advance(TIMEOUT_64_T1_MS)
  expect((await incoming.next('ended')).ending).toEqual({ why: 'lost' })
})
