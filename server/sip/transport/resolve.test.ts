import { afterEach, expect, test } from 'vitest'

import {
  ANNA,
  type TestAgent,
  follow,
  loopbackTrunk,
  sdp,
  startAgent,
} from '../../../test/harness/sip/agent.ts'
import { startNameServer } from '../../../test/harness/sip/name-server.ts'
import { silentPort } from '../../../test/harness/sip/silent-port.ts'
import { createTestClock } from '../../../test/harness/test-clock.ts'
import { SIP_LIMITS } from '../limits.ts'
import { TIMEOUT_64_T1_MS } from '../transaction/timers.ts'
import { type Family, printTransportAddress } from './flow.ts'
import { createDns, type Dns, resolveSipServers, type ServiceRecord } from './resolve.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function openAgent(...options: Parameters<typeof startAgent>): Promise<TestAgent> {
  const started = await startAgent(...options)
  closers.push(() => started.agent.close())
  return started
}

async function silence(): Promise<number> {
  const silent = await silentPort()
  closers.push(silent.close)
  return silent.port
}

const record = (port: number, priority: number, weight = 0): ServiceRecord => ({
  name: '127.0.0.1',
  port,
  priority,
  weight,
})

/** A real name server for `carrier.test`. */
async function names(services: Record<string, ServiceRecord[]>) {
  const server = await startNameServer(services)
  closers.push(server.close)
  return { dns: createDns([server.address]), asked: server.asked }
}

const hosts = [{ host: 'carrier.test' }]
const target = { to: 'trunk', trunk: 'carrier', number: '+4570000000' } as const
const anyone = [loopbackTrunk('anyone', 5060)]

test.each(['udp', 'tcp'] as const)(
  'a call over %s tries the servers of a name in order, and the next if one does not respond',
  async (protocol) => {
    const clock = createTestClock()
    const [second, third] = [await openAgent({ trunks: anyone }), await openAgent({ trunks: anyone })]
    const { dns, asked } = await names({
      [`_sip._${protocol}.carrier.test`]: [
        record(third.ports[protocol], 30),
        record(second.ports[protocol], 20),
        record(await silence(), 10),
      ],
    })
    const near = await openAgent({
      clock,
      dns,
      trunks: [loopbackTrunk('carrier', 0, { hosts, protocol })],
    })
    const { next } = follow(near.agent.invite(target, { from: ANNA, body: sdp() }))
    // Over TCP the first refuses the connection; over UDP it has to time out.
    const moving = setInterval(() => clock.advance(SIP_LIMITS.firstAnswerMs / 16), 20)
    closers.unshift(() => clearInterval(moving))
    const call = await second.calls.take()
    expect(call.uri).toMatchObject({ user: '+4570000000', host: 'carrier.test' })
    call.accept(sdp())
    await next('answered')
    expect(asked).toEqual([`_sip._${protocol}.carrier.test`])
    expect(third.calls.waiting).toEqual([])
  },
)

test('a carrier is up as long as one of its servers responds, and we register there', async () => {
  const clock = createTestClock()
  const carrier = await openAgent({ clock, passwords: { customer: 'secret' } })
  const { dns } = await names({
    '_sip._udp.carrier.test': [record(await silence(), 1), record(carrier.ports.udp, 2)],
  })
  const near = await openAgent({
    clock,
    dns,
    trunks: [
      loopbackTrunk('carrier', 0, {
        hosts,
        probed: true,
        credentials: { username: 'customer', password: 'secret' },
        registration: { user: 'customer', domain: 'carrier.test', seconds: 3_600 },
      }),
    ],
  })
  const moving = setInterval(() => clock.advance(TIMEOUT_64_T1_MS / 16), 20)
  // Deregistering needs the clock to advance.
  closers.unshift(() => clearInterval(moving))
  expect((await carrier.registrations.take()).change).toBe('added')
  const change = await near.trunkChanges.take((each) => !isRegistering(each))
  expect(change).toMatchObject({ registration: { in: 'registered' } })
})

const isRegistering = (change: object) => JSON.stringify(change).includes('registering')

test('servers of equal priority are chosen at random by weight', async () => {
  const { dns } = await names({ '_sips._tcp.carrier.test': [record(1, 5, 1), record(2, 5, 3), record(9, 4)] })
  const first = new Map<number, number>()
  for (let lot = 0; lot < 100; lot++) {
    const order = await resolveSipServers(dns, () => lot / 100, {
      host: 'carrier.test',
      port: undefined,
      protocol: 'tls',
      families: new Set([4]),
    })
    const ports = order.map(({ port }) => port)
    expect(ports[0]).toBe(9)
    expect(ports.toSorted((a, b) => a - b)).toEqual([1, 2, 9])
    first.set(ports[1]!, (first.get(ports[1]!) ?? 0) + 1)
  }
  expect(first.get(2)).toBeGreaterThan(first.get(1)!)
  expect(first.get(1)).toBeGreaterThan(10)
})

test('a name without SRV records, or with a port, is resolved as an address; a null SRV record gives no route', async () => {
  const { dns: real, asked } = await names({
    '_sip._udp.closed.test': [{ name: '', port: 0, priority: 0, weight: 0 }],
  })
  const dns: Dns = { ...real, addresses: () => Promise.resolve(['192.0.2.7', '192.0.2.8']) }
  const resolve = (host: string, port?: number) =>
    resolveSipServers(dns, () => 0, { host, port, protocol: 'udp', families: new Set([4]) })
  expect(await resolve('plain.test')).toEqual([{ address: '192.0.2.7', port: 5060 }])
  expect(await resolve('plain.test', 5070)).toEqual([{ address: '192.0.2.7', port: 5070 }])
  expect(await resolve('[2001:db8::1]')).toEqual([{ address: '2001:db8::1', port: 5060 }])
  expect(await resolve('closed.test')).toEqual([])
  expect(asked).toEqual(['_sip._udp.plain.test', '_sip._udp.closed.test'])
})

test('of a name, one address of each family that we listen in is tried, in the order of the system', async () => {
  const { dns: real } = await names({ '_sip._udp.carrier.test': [record(5070, 1)] })
  const found = ['2001:db8::1', '192.0.2.7', '2001:db8::2', '192.0.2.8']
  const dns: Dns = { ...real, addresses: () => Promise.resolve(found) }
  const resolve = async (families: Family[], port?: number) => {
    const query = { host: 'carrier.test', port, protocol: 'udp', families: new Set(families) } as const
    return (await resolveSipServers(dns, () => 0, query)).map(printTransportAddress)
  }
  expect(await resolve([4, 6], 5060)).toEqual(['[2001:db8::1]:5060', '192.0.2.7:5060'])
  expect(await resolve([4], 5060)).toEqual(['192.0.2.7:5060'])
  expect(await resolve([6], 5060)).toEqual(['[2001:db8::1]:5060'])
  expect(await resolve([4, 6])).toEqual(['[2001:db8::1]:5070', '192.0.2.7:5070'])
  found.splice(1, 1)
  found.pop()
  await expect(resolve([4], 5060)).rejects.toThrow(
    'carrier.test has no address of a family that we listen in',
  )
})

test('a call to a name with both families is offered the family of each address that is tried', async () => {
  const clock = createTestClock()
  const far = await openAgent({ trunks: anyone })
  // Nobody is at this port in the other family.
  const near = await openAgent({
    clock,
    dns: { services: () => Promise.resolve([]), addresses: () => Promise.resolve(['::1', '127.0.0.1']) },
    hosts: ['127.0.0.1', '::1'],
    trunks: [loopbackTrunk('carrier', 0, { hosts: [{ host: 'carrier.test', port: far.ports.udp }] })],
  })
  const offered: Family[] = []
  const body = (version: Family) => {
    offered.push(version)
    return Promise.resolve(sdp(40_000 + version))
  }
  const { next } = follow(near.agent.invite(target, { from: ANNA, body }))
  const moving = setInterval(() => clock.advance(SIP_LIMITS.firstAnswerMs / 16), 20)
  closers.unshift(() => clearInterval(moving))
  const call = await far.calls.take()
  expect(call.body!.bytes.toString()).toContain('m=audio 40004 ')
  expect(call.request.headers.get('via')).toContain('127.0.0.1')
  call.accept(sdp())
  await next('answered')
  expect(offered).toEqual([6, 4])
})

test('a name is reached in the family that we listen in, also if the other one is preferred', async () => {
  const far = await openAgent({ trunks: anyone })
  const near = await openAgent({
    dns: { services: () => Promise.resolve([]), addresses: () => Promise.resolve(['::1', '127.0.0.1']) },
    trunks: [loopbackTrunk('carrier', 0, { hosts: [{ host: 'carrier.test', port: far.ports.udp }] })],
  })
  const { next } = follow(near.agent.invite(target, { from: ANNA, body: sdp() }))
  ;(await far.calls.take()).accept(sdp())
  await next('answered')
})
