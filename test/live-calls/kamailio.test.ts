import { expect, onTestFinished, test } from 'vitest'

import { callIs, eventually, lastCall } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { startEdgeProcess } from '../harness/processes/edge-process.ts'
import { certificateFiles } from '../harness/sip/certificate.ts'
import {
  KAMAILIO_DOMAIN,
  KAMAILIO_HOST,
  KAMAILIO_PASSWORD,
  placeOfKamailio,
  startKamailio,
} from '../harness/sip/kamailio.ts'
import { toneShare } from '../harness/sound/audio-analysis.ts'

const BELLHOP_SECRET = 'a secret of all processes of the test'
const certificate = await certificateFiles()
const place = await placeOfKamailio()
const credentials = (username: string) => ({ username, password: KAMAILIO_PASSWORD })
const kamailio = (name: string, more: object) => ({
  name,
  hosts: [`${KAMAILIO_HOST}:${place.port}`],
  addresses: [KAMAILIO_HOST],
  domain: KAMAILIO_DOMAIN,
  credentials: credentials(name),
  ...more,
})
const registers = (name: string) => ({ registration: { user: name, domain: KAMAILIO_DOMAIN } })
const TRUNKS = [
  kamailio('by-address', { prefixes: ['+45'] }),
  kamailio('registered', { ...registers('registered'), prefixes: ['+4530'], from: 'account' }),
  kamailio('by-tcp', { ...registers('by-tcp'), prefixes: ['+4540'], protocol: 'tcp' }),
]

const phoneSystem = await openPhoneSystem({ BELLHOP_SECRET }, {}, { otherTrunks: TRUNKS })
const { bellhop, edge, carrier, dial, hire, callee, connectCarrier } = phoneSystem
await startKamailio({
  at: place,
  outside: carrier.ports.udp,
  bellhop: edge.port,
  certificate: certificate.environment,
})
connectCarrier('kamailio', place.port, {
  hosts: [{ host: KAMAILIO_HOST, port: place.port }],
  addresses: [KAMAILIO_HOST],
})

async function office(hireHere = hire) {
  const company = await bellhop.newCompany()
  const anna = await hireHere(company, 'Anna', 700)
  const flow = { type: 'TransferConfig', employee_ids: [anna.id] }
  return { company, anna, ...(await numberWith(bellhop, company, flow)) }
}

const logged = (...parts: string[]) =>
  eventually(() =>
    expect(bellhop.logged.some((line) => parts.every((part) => line.includes(part)))).toBe(true),
  )

const answers = (direction: string) => ({
  ok: true,
  body: { bytes: expect.toSatisfy((bytes: Buffer) => bytes.includes(`a=${direction}\r\n`)) },
})

const isRegistered = (trunk: string) => logged('registered with a carrier', `"trunk":"${trunk}"`)

test('a customer calls through Kamailio, waits in the queue, and talks with an employee through rtpengine', async () => {
  const { company, anna, number } = await office()
  const customer = await dial(number, { over: 'kamailio' })
  await customer.connected()
  const phone = await anna.rings()
  await phone.answer()
  await Promise.all([customer.hears(700), phone.hears(440)])
  expect(await callIs(company, 'bridged')).toMatchObject({ from: '+4520112233', to: number })
  customer.hangUp()
  await phone.ended()
  await callIs(company, 'ended')
})

test('an employee calls through Kamailio, which demands a password; the customer holds the call and resumes it', async () => {
  const { company, anna, number } = await office()
  const phone = await anna.dial('20112233')
  const customer = await callee()
  expect(customer.call.uri).toMatchObject({ user: '+4520112233' })
  expect(customer.call.from.uri).toMatchObject({ user: number, host: KAMAILIO_DOMAIN })
  await customer.answer()
  await phone.answered()
  await Promise.all([phone.hears(500), customer.hears(700)])
  await callIs(company, 'bridged')

  expect(await customer.hold()).toMatchObject(answers('recvonly'))
  expect(await customer.resume()).toMatchObject(answers('sendrecv'))
  await Promise.all([phone.hears(500), customer.hears(700)])

  phone.hangUp()
  await customer.ended()
  await callIs(company, 'ended')
})

test('an employee holds a customer behind rtpengine, who hears music and then the employee again', async () => {
  const { company, anna, number } = await office()
  const customer = await dial(number, { over: 'kamailio' })
  await customer.connected()
  const phone = await anna.rings()
  await phone.answer()
  await customer.hears(700)
  await callIs(company, 'bridged')
  expect((await phone.hold()).ok).toBe(true)
  const from = customer.heard.length
  await customer.until('music', () => {
    const heard = customer.last(1_000, from)
    return heard && toneShare(heard, 700) < 0.2 && heard.some((sample) => Math.abs(sample) > 1_000)
  })
  expect((await phone.resume()).ok).toBe(true)
  await Promise.all([customer.hears(700), phone.hears(440)])
  phone.hangUp()
  await customer.ended()
})

test.each([
  ['UDP', 'registered', '30112233', 'registered'],
  ['TCP', 'by-tcp', '40112233', undefined],
])(
  'Bellhop registers at Kamailio over %s, is called there, and calls',
  async (_, trunk, dialled, account) => {
    const { company, anna, number } = await office()
    await isRegistered(trunk)
    const customer = await dial(number, { over: 'kamailio', headers: { 'x-account': trunk } })
    await customer.connected()
    const rung = await anna.rings()
    await rung.answer()
    await Promise.all([customer.hears(700), rung.hears(440)])
    customer.hangUp()
    await rung.ended()
    await callIs(company, 'ended')

    const phone = await anna.dial(dialled)
    const called = await callee()
    expect(called.call.from.uri).toMatchObject({ user: account ?? number, host: KAMAILIO_DOMAIN })
    await called.answer()
    await phone.answered()
    await Promise.all([phone.hears(500), called.hears(700)])
    called.hangUp()
    await phone.ended()
  },
)

test('a call that Kamailio refuses with 503 goes over the next trunk', async () => {
  const { company, anna } = await office()
  const phone = await anna.dial('112')
  const called = await callee()
  expect(called.call.uri).toMatchObject({ user: '112', host: '127.0.0.1' })
  await called.answer()
  await phone.answered()
  await Promise.all([phone.hears(500), called.hears(700)])
  expect(await lastCall(company)).toMatchObject({ to: '112', state: 'bridged' })
  await logged('a carrier did not take a call, and the next one is tried', '503')
  phone.hangUp()
  await called.ended()
})

test('signalling over TLS and media over SRTP, in both directions', async () => {
  const trunk = kamailio('by-tls', {
    ...registers('by-tls'),
    hosts: [`${KAMAILIO_HOST}:${place.tlsPort}`],
    protocol: 'tls',
    encryption: 'sdes',
  })
  const process = await startEdgeProcess(bellhop.db.address, {
    BELLHOP_SECRET,
    BELLHOP_DATA_DIR: bellhop.dataDir,
    SIP_TRUNKS: JSON.stringify([trunk]),
    // Kamailio's certificate is its own authority.
    NODE_EXTRA_CA_CERTS: certificate.environment.SIP_TLS_CERT,
  })
  onTestFinished(() => process.signal('SIGTERM'))
  await eventually(() => expect(process.stderr()).toContain('registered with a carrier'))
  const { company, anna, number } = await office(phoneSystem.hireAt(process.port))

  const customer = await dial(number, { over: 'kamailio', headers: { 'x-account': 'by-tls' } })
  await customer.connected()
  const rung = await anna.rings()
  await rung.answer()
  await Promise.all([customer.hears(700), rung.hears(440)])
  expect((await rung.hold()).ok).toBe(true)
  expect((await rung.resume()).ok).toBe(true)
  await Promise.all([customer.hears(700), rung.hears(440)])
  customer.hangUp()
  await rung.ended()
  await callIs(company, 'ended')

  const phone = await anna.dial('20112233')
  const called = await callee()
  await called.answer()
  await phone.answered()
  await Promise.all([phone.hears(500), called.hears(700)])
  phone.hangUp()
  await called.ended()
})
