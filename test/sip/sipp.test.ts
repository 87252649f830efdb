import { afterEach, describe, expect, test } from 'vitest'

import type { IncomingCall } from '../../server/sip/index.ts'
import { ANNA, type TestAgent, follow, loopbackTrunk, sdp, startAgent } from '../harness/sip/agent.ts'
import { startLossyRelay } from '../harness/sip/lossy-relay.ts'
import { sipp } from '../harness/sip/sipp.ts'
import { createTestClock, type TestClock } from '../harness/test-clock.ts'

const open: TestAgent[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map(({ agent }) => agent.close()))
})

async function openAgent(...options: Parameters<typeof startAgent>): Promise<TestAgent> {
  const agent = await startAgent(...options)
  open.push(agent)
  return agent
}

/** SIPp's address is that of a carrier; if we call it, at its port. */
const carrier = (port = 5060) => [loopbackTrunk('sipp', port)]

function answerAll(call: IncomingCall): void {
  call.listen((event) => event.type === 'offer' && event.offer.accept(sdp()))
  call.ring()
  call.accept(sdp())
}

describe('SIPp calls us', () => {
  test.each([
    ['UDP', 'udp', '127.0.0.1', 'u1'],
    ['TCP', 'tcp', '127.0.0.1', 't1'],
    ['UDP and IPv6', 'udp', '::1', 'u1'],
    ['TCP and IPv6', 'tcp', '::1', 't1'],
  ] as const)(
    'over %s: we answer, are put on hold, resumed, and hung up',
    async (_, protocol, host, mode) => {
      const trunks = [loopbackTrunk('sipp', 5060, { addresses: [host] })]
      const { ports, calls } = await openAgent({ trunks, hosts: [host] })
      const run = await sipp('caller', { to: ports[protocol], host, args: ['-t', mode] })
      const call = await calls.take()
      const { next } = follow(call)
      call.ring()
      call.accept(sdp())
      await next('connected')
      for (const direction of ['sendonly', 'sendrecv']) {
        const { offer } = await next('offer')
        expect(offer.body?.bytes.toString()).toContain(`a=${direction}`)
        offer.accept(sdp())
      }
      expect((await next('ended')).ending).toEqual({ why: 'hungUp', by: 'peer' })
      await run.done
    },
  )

  test('and we hang up', async () => {
    const { ports, calls } = await openAgent({ trunks: carrier() })
    const run = await sipp('caller-hung-up-on', { to: ports.udp })
    const call = await calls.take()
    const { next } = follow(call)
    call.accept(sdp())
    await next('connected')
    call.hangUp()
    await run.done
  })

  test('and its ACK arrives after the INVITE that holds the call', async () => {
    const { ports, calls } = await openAgent({ trunks: carrier() })
    const run = await sipp('caller-acknowledges-late', { to: ports.udp })
    const call = await calls.take()
    const { next, events } = follow(call)
    call.accept(sdp())
    const { offer } = await next('offer')
    expect(events.waiting).toEqual([{ type: 'connected', body: undefined }])
    expect(offer.body?.bytes.toString()).toContain('a=sendonly')
    offer.accept(sdp())
    expect((await next('ended')).ending).toEqual({ why: 'hungUp', by: 'peer' })
    await run.done
  })

  test('and its ACK arrives after the UPDATE that holds the call', async () => {
    const { ports, calls } = await openAgent({ trunks: carrier() })
    const run = await sipp('caller-updates-early', { to: ports.udp })
    const call = await calls.take()
    const { next, events } = follow(call)
    call.accept(sdp())
    const { offer } = await next('offer')
    expect(events.waiting).toEqual([])
    expect(offer.body?.bytes.toString()).toContain('a=sendonly')
    offer.accept(sdp())
    expect((await next('connected')).body).toBeUndefined()
    expect((await next('ended')).ending).toEqual({ why: 'hungUp', by: 'peer' })
    await run.done
  })

  test('and cancels while it rings', async () => {
    const { ports, calls } = await openAgent({ trunks: carrier() })
    const run = await sipp('caller-gives-up', { to: ports.udp })
    const call = await calls.take()
    call.ring()
    expect((await follow(call).next('ended')).ending).toEqual({ why: 'cancelled' })
    await run.done
  })

  test('and requests a transfer, and receives reports on it', async () => {
    const { ports, calls } = await openAgent({ trunks: carrier() })
    const run = await sipp('caller-transfers', { to: ports.udp })
    const call = await calls.take()
    const { next } = follow(call)
    call.accept(sdp())
    const { transfer } = await next('transfer')
    expect(transfer.target).toMatchObject({ user: '+4530000003', host: 'example.com' })
    expect(transfer.referredBy).toBe('<sip:+4520000001@example.com>')
    expect(transfer.replaces).toBeUndefined()
    transfer.accept()
    transfer.report(200)
    call.hangUp()
    await run.done
  })

  test('and requests that two of its calls be joined, which it must identify', async () => {
    const { ports, calls } = await openAgent({ trunks: carrier() })
    const run = await sipp('caller-joins-calls', { to: ports.udp, args: ['-cid_str', '%u-%p'] })
    const call = await calls.take()
    const { next } = follow(call)
    call.accept(sdp())
    const { transfer } = await next('transfer')
    expect(call.hasDialog(transfer.replaces!)).toBe(true)
    transfer.accept()
    transfer.report(200)
    call.hangUp()
    await run.done
  })

  test('and wants to replace a call that is not there', async () => {
    const { ports, calls } = await openAgent({ trunks: carrier() })
    const run = await sipp('caller-replaces-nothing', { to: ports.udp })
    await run.done
    expect(calls.waiting).toEqual([])
  })

  test('and acknowledges our early media before it is answered', async () => {
    const { ports, calls } = await openAgent({ trunks: carrier() })
    const run = await sipp('caller-with-reliable-progress', { to: ports.udp })
    const call = await calls.take()
    const { next } = follow(call)
    call.progress(sdp())
    call.accept(sdp())
    await next('connected')
    call.hangUp()
    await run.done
  })

  test('and we refresh its call, also after it refused once', async () => {
    const clock = createTestClock()
    const { ports, calls } = await openAgent({ trunks: carrier(), clock })
    const run = await sipp('caller-wants-refreshing', { to: ports.udp })
    const call = await calls.take()
    const { next } = follow(call)
    call.accept(sdp())
    await next('connected')
    const stopTime = letTimePass(clock)
    expect((await next('ended')).ending).toEqual({ why: 'hungUp', by: 'peer' })
    stopTime()
    await run.done
  })

  test('and we hang up if it does not refresh its call as agreed', async () => {
    const clock = createTestClock()
    const { ports, calls } = await openAgent({ trunks: carrier(), clock })
    const run = await sipp('caller-falls-silent', { to: ports.udp })
    const call = await calls.take()
    const { next } = follow(call)
    call.accept(sdp())
    await next('connected')
    const stopTime = letTimePass(clock)
    expect((await next('ended')).ending).toEqual({ why: 'lost' })
    stopTime()
    await run.done
  })

  test('with a password, from an unknown address', async () => {
    const { ports, calls } = await openAgent({ passwords: { phone: 'open-sesame' } })
    const run = await sipp('caller-with-password', { to: ports.udp })
    const call = await calls.take()
    expect(call.peer).toEqual({ kind: 'device', username: 'phone' })
    answerAll(call)
    await run.done
  })

  test('with a wrong password, and gets the same response as for an unknown user', async () => {
    const { ports, calls } = await openAgent({ passwords: { phone: 'open-sesame' } })
    for (const user of ['phone', 'nobody']) {
      const run = await sipp('caller-with-wrong-password', {
        to: ports.udp,
        args: ['-au', user, '-ap', 'wrong'],
      })
      await run.done
    }
    expect(calls.waiting).toEqual([])
  })

  test('while every fourth datagram is lost, and all calls are established and end', async () => {
    const { ports, calls } = await openAgent({ trunks: carrier() })
    const relay = await startLossyRelay(ports.udp, 1 / 4)
    const count = 20
    const patience = ['-max_invite_retrans', '10', '-max_non_invite_retrans', '20']
    const run = await sipp('caller-plain', { to: relay.port, calls: count, rate: 20, args: patience })
    const endings = Array.from({ length: count }, async () => {
      const call = await calls.take()
      const { next } = follow(call)
      call.ring()
      call.accept(sdp())
      return (await next('ended')).ending
    })
    expect(await Promise.all(endings)).toEqual(
      Array.from({ length: count }, () => ({ why: 'hungUp', by: 'peer' })),
    )
    await run.done
    relay.close()
    expect(relay.counts.lost).toBeGreaterThan(count)
  })
})

/** Twenty times as fast as for SIPp. */
function letTimePass(clock: TestClock): () => void {
  const timer = setInterval(() => clock.advance(400), 20)
  return () => clearInterval(timer)
}

/** Places a call to a scenario that waits for one. */
async function call(scenario: string, more: Partial<ReturnType<typeof loopbackTrunk>> = {}) {
  const run = await sipp(scenario)
  const { agent } = await openAgent({ trunks: [loopbackTrunk('sipp', run.port, more)] })
  const target = { to: 'trunk', trunk: 'sipp', number: '+4570000000' } as const
  const call = agent.invite(target, { from: ANNA, body: sdp() })
  return { run, call, ...follow(call) }
}

describe('we call SIPp', () => {
  test('and it rings, answers and is hung up', async () => {
    const { run, call: placed, next } = await call('callee')
    await next('ringing')
    expect((await next('answered')).body?.bytes.toString()).toContain('o=sipp')
    placed.hangUp()
    await run.done
  })

  test('and it is not ready for a change, which we make when it says', async () => {
    const { run, call: placed, next } = await call('callee-is-not-ready')
    await next('answered')
    expect(await placed.reinvite(sdp(40_000, 'sendonly'))).toMatchObject({ ok: true })
    placed.hangUp()
    await run.done
  })

  test('and acknowledge its early media', async () => {
    const { run, call: placed, next } = await call('callee-with-early-media')
    expect((await next('progress')).body.bytes.toString()).toContain('o=sipp')
    await next('answered')
    placed.hangUp()
    await run.done
  })

  test('and it is busy', async () => {
    const { run, next } = await call('callee-busy')
    expect((await next('ended')).ending).toMatchObject({ why: 'refused', status: 486 })
    await run.done
  })

  test('and it is unavailable, so that its second host is called', async () => {
    const [first, second] = [await sipp('callee-unavailable'), await sipp('callee')]
    const hosts = [first, second].map(({ port }) => ({ host: '127.0.0.1', port }))
    const { agent } = await openAgent({ trunks: [loopbackTrunk('sipp', 0, { hosts })] })
    const target = { to: 'trunk', trunk: 'sipp', number: '+4570000000' } as const
    const placed = agent.invite(target, { from: ANNA, body: sdp() })
    await follow(placed).next('answered')
    placed.hangUp()
    await Promise.all([first.done, second.done])
  })

  test('and it puts us on hold and hangs up', async () => {
    const { run, next } = await call('callee-holds')
    await next('answered')
    ;(await next('offer')).offer.accept(sdp())
    expect((await next('ended')).ending).toEqual({ why: 'hungUp', by: 'peer' })
    await run.done
  })

  test('and authenticate with our password', async () => {
    const credentials = { username: 'trunk', password: 'carrier-secret' }
    const { run, call: placed, next } = await call('carrier-wants-password', { credentials })
    await next('answered')
    placed.hangUp()
    await run.done
  })
})

test('two of our user agents call each other while every fourth datagram is lost', async () => {
  const { ports, calls } = await openAgent({ trunks: carrier() })
  const relay = await startLossyRelay(ports.udp, 1 / 4)
  const { agent } = await openAgent({ trunks: [loopbackTrunk('far', relay.port)] })
  const target = { to: 'trunk', trunk: 'far', number: '+4570000000' } as const
  const placed = Array.from({ length: 10 }, async () => {
    const call = agent.invite(target, { from: ANNA, body: sdp() })
    const { next } = follow(call)
    await next('answered')
    call.hangUp()
  })
  const received = placed.map(async () => {
    const call = await calls.take()
    answerAll(call)
    return (await follow(call).next('ended')).ending
  })
  await Promise.all(placed)
  expect(new Set((await Promise.all(received)).map(({ why }) => why))).toEqual(new Set(['hungUp']))
  relay.close()
  expect(relay.counts.lost).toBeGreaterThan(5)
})

test('a phone registers with SIPp, and its binding is known', async () => {
  const { ports, agent, registrations } = await openAgent({ passwords: { phone: 'open-sesame' } })
  const run = await sipp('phone-registers', { to: ports.udp })
  await run.done
  const { binding, change } = await registrations.take()
  expect(change).toBe('added')
  expect(binding.remote).toEqual({ address: '127.0.0.1', port: run.port })
  expect(await agent.bindingsOf('phone')).toEqual([binding])
})
