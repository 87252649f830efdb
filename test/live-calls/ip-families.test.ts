import { isIP } from 'node:net'

import { expect, onTestFinished, test } from 'vitest'

import { serveEdge } from '../../server/roles/edge-http.ts'
import { startEdge } from '../../server/roles/edge.ts'
import { sdpBody } from '../../server/sip/index.ts'
import { callIs, eventually } from '../harness/calls/call-events.ts'
import { newDevice } from '../harness/calls/edge.ts'
import { type Employee, numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { startEdgeProcess } from '../harness/processes/edge-process.ts'
import { ANNA, follow, loopbackTrunk, startAgent } from '../harness/sip/agent.ts'
import { startBaresip } from '../harness/sip/baresip.ts'
import { openBrowserPhone } from '../harness/sip/browser-phone.ts'
import { certificateFiles } from '../harness/sip/certificate.ts'
import { startPhone } from '../harness/sound/rtp-phone.ts'

const BELLHOP_SECRET = 'a secret of all processes of the test'
const HOSTS = '127.0.0.1,::1'
const { environment, tls } = await certificateFiles()
const sixth = await startAgent({ hosts: ['::1'] })
const trunkOver6 = {
  name: 'over-6',
  hosts: [`[::1]:${sixth.ports.udp}`],
  addresses: [],
  inbound: { username: 'over-6', password: 'secret-of-the-sixth' },
  prefixes: ['+4560'],
}
const phoneSystem = await openPhoneSystem(
  { SIP_HOST: HOSTS, BELLHOP_SECRET, ...environment },
  {},
  { otherTrunks: [trunkOver6] },
)
const { bellhop, edge, dial, hire, hireAt, callee } = phoneSystem
const hireOver6 = hireAt(edge.port, '::1')
sixth.agent.setTrunks([
  loopbackTrunk('bellhop', edge.port, {
    hosts: [{ host: '::1', port: edge.port }],
    addresses: ['::1'],
    credentials: trunkOver6.inbound,
  }),
])

async function office(hireOne: typeof hire) {
  const company = await bellhop.newCompany()
  const anna = await hireOne(company, 'Anna', 700)
  const flow = { type: 'TransferConfig', employee_ids: [anna.id] }
  return { company, anna, ...(await numberWith(bellhop, company, flow)) }
}

type Ringing = Awaited<ReturnType<Employee['rings']>>
const offerOf = ({ call }: Ringing) => call.body!.bytes.toString()
const headerOf = ({ call }: Ringing, name: string) => call.request.headers.get(name)

test('a phone that registered over IPv6 is called over IPv6, and talks with a customer over IPv4', async () => {
  const { company, anna, number } = await office(hireOver6)
  const customer = await dial(number)
  await customer.connected()
  const phone = await anna.rings()
  expect(offerOf(phone)).toMatch(/^o=- \d+ \d+ IN IP6 ::1\r\n[^]*^c=IN IP6 ::1\r$/m)
  expect(offerOf(phone)).not.toContain('IP4')
  expect(headerOf(phone, 'via')).toContain(`SIP/2.0/UDP [::1]:${edge.port}`)
  expect(headerOf(phone, 'contact')).toContain(`@[::1]:${edge.port}`)
  await phone.answer()
  await Promise.all([customer.hears(700), phone.hears(440)])
  await callIs(company, 'bridged')
  expect((await phone.hold()).ok).toBe(true)
  expect((await phone.resume()).ok).toBe(true)
  await Promise.all([customer.hears(700), phone.hears(440)])
  phone.hangUp()
  await customer.ended()
  await callIs(company, 'ended')
})

test('a phone over IPv6 calls a customer over IPv4, each with its own family in Via, Contact and SDP', async () => {
  const { anna } = await office(hireOver6)
  const phone = await anna.dial('20112233')
  const customer = await callee()
  expect(offerOf(customer)).toMatch(/^c=IN IP4 127\.0\.0\.1\r$/m)
  expect(headerOf(customer, 'via')).toContain(`127.0.0.1:${edge.port}`)
  expect(headerOf(customer, 'contact')).toContain(`127.0.0.1:${edge.port}`)
  await customer.answer()
  await phone.answered()
  await Promise.all([phone.hears(500), customer.hears(700)])
  phone.hangUp()
  await customer.ended()
})

test('a carrier over IPv6 is called, and calls, while the phone is over IPv4', async () => {
  const { company, anna, number } = await office(hire)
  const phone = await anna.dial('60112233')
  const call = await sixth.calls.take()
  expect(call.body!.bytes.toString()).toMatch(/^c=IN IP6 ::1\r$/m)
  expect(call.request.headers.get('contact')).toContain(`[::1]:${edge.port}`)
  const customer = await startPhone({ family: 6 })
  onTestFinished(() => customer.close())
  customer.setRemote(call.body!.bytes.toString())
  call.accept(sdpBody(customer.sdp()))
  customer.say(500)
  await phone.answered()
  await Promise.all([phone.hears(500), customer.hears(700)])
  phone.hangUp()
  await callIs(company, 'ended')

  const caller = await dial(number, { by: sixth.agent, family: 6 })
  await caller.connected()
  const rung = await anna.rings()
  expect(offerOf(rung)).toMatch(/^c=IN IP4 127\.0\.0\.1\r$/m)
  await rung.answer()
  await Promise.all([caller.hears(700), rung.hears(440)])
  caller.hangUp()
  await rung.ended()
})

test('a carrier over IPv6 that leaves the SDP offer to us gets one of its family', async () => {
  const { number } = await office(hire)
  const call = sixth.agent.invite(
    { to: 'trunk', trunk: 'bellhop', number },
    { from: ANNA, body: sdpBody('') },
  )
  onTestFinished(() => call.hangUp())
  const { body } = await follow(call).next('answered')
  expect(body!.bytes.toString()).toMatch(/^c=IN IP6 ::1\r$/m)
})

test('signalling over TLS and media over SRTP, over IPv6', async () => {
  const { anna, number } = await office(phoneSystem.hireSecurely(tls, '::1'))
  const customer = await dial(number)
  await customer.connected()
  const phone = await anna.rings()
  expect(offerOf(phone)).toMatch(/^c=IN IP6 ::1\r\n[^]*RTP\/SAVP/m)
  expect(headerOf(phone, 'via')).toContain(`SIP/2.0/TLS [::1]:${edge.tlsPort}`)
  await phone.answer()
  await Promise.all([customer.hears(700), phone.hears(440)])
  customer.hangUp()
  await phone.ended()
})

test.each(['udp', 'tcp', 'tls'] as const)(
  'a desk phone (baresip) registers over IPv6 by %s, answers a customer over IPv4, and calls',
  async (protocol) => {
    const company = await bellhop.newCompany()
    const { username: user, password } = await newDevice(bellhop, company)
    const port = protocol === 'tls' ? edge.tlsPort! : edge.port
    const encryption = protocol === 'tls' ? ({ encryption: 'srtp-mand' } as const) : {}
    const account = { user, password, port, host: '::1', protocol, answers: 'auto', hz: 700 } as const
    const baresip = await startBaresip({ ...account, ...encryption })
    onTestFinished(() => baresip.stop())
    const { employee } = (await company.api.get('/session')).body
    await eventually(async () =>
      expect((await company.api.get(`/employees/${employee.id}`)).body.status).toBe('available'),
    )
    const flow = { type: 'TransferConfig', employee_ids: [employee.id] }
    const { number } = await numberWith(bellhop, company, flow)
    const customer = await dial(number)
    await customer.connected()
    await Promise.all([customer.hears(700), baresip.hears(440)])
    customer.hangUp()
    await callIs(company, 'ended')
    await baresip.event('CALL_CLOSED')

    baresip.command('dial', `sip:20112233@[::1]:${port};transport=${protocol}`)
    const called = await callee()
    await called.answer()
    await Promise.all([called.hears(700), baresip.hears(500)])
    called.hangUp()
    await callIs(company, 'ended')
  },
)

test('a phone that moves to another family within a call is heard there, and hears', async () => {
  const { anna, number } = await office(hire)
  const customer = await dial(number)
  await customer.connected()
  const phone = await anna.rings()
  await phone.answer()
  await customer.hears(700)
  phone.shutUp()
  const moved = await startPhone({ family: 6 })
  onTestFinished(() => moved.close())
  const outcome = await phone.call.reinvite(sdpBody(moved.sdp()))
  const answer = outcome.ok ? outcome.body!.bytes.toString() : ''
  expect(answer).toMatch(/^c=IN IP6 ::1\r$/m)
  moved.setRemote(answer)
  moved.say(900)
  await Promise.all([customer.hears(900), moved.hears(440)])
  customer.hangUp()
  await phone.ended()
})

test('a phone over IPv6 at another edge is reached through that edge', async () => {
  const other = await startEdgeProcess(bellhop.db.address, {
    BELLHOP_SECRET,
    BELLHOP_DATA_DIR: bellhop.dataDir,
    SIP_HOST: HOSTS,
  })
  onTestFinished(() => other.signal('SIGTERM'))
  const { anna, number } = await office(hireAt(other.port, '::1'))
  const customer = await dial(number)
  await customer.connected()
  const phone = await anna.rings()
  expect(headerOf(phone, 'via')).toContain(`[::1]:${other.port}`)
  expect(offerOf(phone)).toMatch(/^c=IN IP6 ::1\r$/m)
  await phone.answer()
  await Promise.all([customer.hears(700), phone.hears(440)])
  customer.hangUp()
  await phone.ended()
})

const UNSPECIFIED = /(^|\s)(0\.0\.0\.0|::)(\s|$)/m

test('an edge that listens on all addresses takes phones and browsers of both families', async () => {
  const { config, log } = bellhop.parts
  const everywhere = { ...config, host: '::', sip: { ...config.sip, hosts: ['0.0.0.0', '::'] } }
  const open = await startEdge({ ...bellhop.parts, config: everywhere })
  onTestFinished(() => open.stop())
  phoneSystem.connectCarrier('everywhere', open.port)
  for (const host of ['127.0.0.1', '::1']) {
    const { anna, number } = await office(hireAt(open.port, host))
    const customer = await dial(number, { over: 'everywhere' })
    await customer.connected()
    const phone = await anna.rings()
    expect(offerOf(phone)).toContain(host === '::1' ? 'c=IN IP6 ' : 'c=IN IP4 ')
    expect(offerOf(phone)).not.toMatch(UNSPECIFIED)
    await phone.answer()
    await Promise.all([customer.hears(700), phone.hears(440)])
    customer.hangUp()
    await phone.ended()
  }

  const http = await serveEdge({
    config: { ...everywhere, edge: { ...config.edge, httpPort: 0 } },
    log,
    edge: open,
  })
  onTestFinished(() => http.stop())
  const { port } = new URL(http.url)
  for (const host of ['127.0.0.1', '[::1]']) {
    const company = await bellhop.newCompany()
    const { username, password } = await newDevice(bellhop, company)
    const browser = await openBrowserPhone(`ws://${host}:${port}/sip`, { username, password })
    const contact = `Contact: <sip:${username}@x.invalid;transport=ws>`
    expect((await browser.register([contact])).status).toBe(200)
    const { employee } = (await company.api.get('/session')).body
    const { number } = await numberWith(bellhop, company, {
      type: 'TransferConfig',
      employee_ids: [employee.id],
    })
    await (await dial(number, { over: 'everywhere' })).connected()
    const invite = await browser.requests.take(({ method }) => method === 'INVITE')
    const offer = invite.body.toString()
    const candidates = offer.split('\r\n').filter((line) => line.startsWith('a=candidate:'))
    const families = candidates.map((line) => isIP(line.split(' ')[4]!))
    expect(new Set(families)).toEqual(new Set([4, 6]))
    expect(offer).not.toMatch(UNSPECIFIED)
  }
})
