import { afterAll, expect, onTestFinished, test } from 'vitest'

import { type IncomingCall, sdpBody } from '../../server/sip/index.ts'
import { callIs, eventually } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { loopbackTrunk, startAgent } from '../harness/sip/agent.ts'
import { startPhone } from '../harness/sound/rtp-phone.ts'

/** The carriers, by what their trunk says of encryption, and the numbers that they are used for. */
const PREFIXES = { sdes: '+4530', optional: '+4540' }
type Encryption = keyof typeof PREFIXES

const host = await startAgent({ trunks: [loopbackTrunk('bellhop', 5060)] })
afterAll(() => host.agent.close())
const passwordOf = (encryption: Encryption) => ({ username: encryption, password: `secret-of-${encryption}` })
const { bellhop, carrier, dial, edge, hire } = await openPhoneSystem(
  {},
  {},
  {
    otherTrunks: (['sdes', 'optional'] as const).map((encryption) => ({
      name: encryption,
      hosts: [`127.0.0.1:${host.ports.udp}`],
      inbound: passwordOf(encryption),
      prefixes: [PREFIXES[encryption]],
      encryption,
    })),
  },
)
carrier.agent.setTrunks(
  (['sdes', 'optional'] as const).map((encryption) =>
    loopbackTrunk(encryption, edge.port, { credentials: passwordOf(encryption) }),
  ),
)

async function office() {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  return { company, anna, number }
}

const logged = (...parts: string[]) =>
  eventually(() =>
    expect(bellhop.logged.some((line) => parts.every((part) => line.includes(part)))).toBe(true),
  )

const offerIn = (call: IncomingCall) => call.body!.bytes.toString()

/** The callee answers with this media, and talks. */
async function answer(call: IncomingCall, encrypted: boolean) {
  const phone = await startPhone({ encrypted })
  onTestFinished(() => {
    call.hangUp()
    phone.close()
  })
  phone.setRemote(offerIn(call))
  call.accept(sdpBody(phone.sdp()))
  phone.say(500)
  return phone
}

test.each([
  ['without subscribers', false],
  ['with subscribers', true],
])('a refused call to a number that was called before is not stored, %s', async (_, isHeard) => {
  const { company, number } = await office()
  const webhook = { name: 'All', url: 'https://hooks.example.com', events: ['call.initiated'] }
  if (isHeard) expect((await company.api.post('/webhooks', webhook)).status).toBe(201)
  const customer = await dial(number, { over: 'sdes', encrypted: true })
  await customer.connected()
  const { id } = await callIs(company, 'queued')
  const refused = await dial(number, { over: 'sdes' })
  expect(await refused.ended()).toMatchObject({ why: 'refused', status: 488 })
  customer.hangUp()
  await callIs(company, 'ended')
  expect((await company.api.get('/calls')).body.calls).toMatchObject([{ id }])
})

test('a call without encryption over a trunk that must have it is refused with 488, and the log says why', async () => {
  const { company, anna, number } = await office()
  const refused = await dial(number, { over: 'sdes' })
  expect(await refused.ended()).toMatchObject({ why: 'refused', status: 488 })
  await logged('an inbound call was refused', '"trunk":"sdes"', '"status":488', 'no_crypto')
  const customer = await dial(number, { over: 'sdes', encrypted: true })
  await customer.connected()
  const phone = await anna.rings()
  await phone.answer()
  await Promise.all([customer.hears(700), phone.hears(440)])
  await callIs(company, 'bridged')
  const plain = await startPhone()
  onTestFinished(() => plain.close())
  // Nor does a call lose its encryption later.
  expect(await customer.call.reinvite(sdpBody(plain.sdp()))).toMatchObject({ ok: false, status: 488 })
  await Promise.all([customer.hears(700), phone.hears(440)])
})

test('a trunk with optional encryption takes calls with and without', async () => {
  const { anna, number } = await office()
  for (const encrypted of [true, false]) {
    const customer = await dial(number, { over: 'optional', encrypted })
    await customer.connected()
    const phone = await anna.rings()
    await phone.answer()
    await Promise.all([customer.hears(700), phone.hears(440)])
    customer.hangUp()
    await phone.ended()
  }
})

test('a carrier that refuses optional encryption is called again without', async () => {
  const { company, anna } = await office()
  const phone = await anna.dial('40112233')
  const first = await host.calls.take()
  expect(offerIn(first)).toContain('RTP/SAVP')
  first.reject(488)
  const second = await host.calls.take()
  expect(offerIn(second)).toContain('RTP/AVP')
  const callee = await answer(second, false)
  await phone.answered()
  await Promise.all([phone.hears(500), callee.hears(700)])
  await callIs(company, 'bridged')
  await logged('a carrier refused encrypted media', '"trunk":"optional"', '"status":488')
})

test('a carrier that is busy or refuses required encryption is not called again', async () => {
  const { anna } = await office()
  for (const [number, status] of [
    ['40112233', 486],
    ['30112233', 488],
  ] as const) {
    const phone = await anna.dial(number)
    ;(await host.calls.take()).reject(status)
    expect(await phone.ended()).toMatchObject({ why: 'refused', status })
    expect(host.calls.waiting).toHaveLength(0)
  }
})

test('a carrier that answers without keys gets no call: the phone learns it, and the log says why', async () => {
  const { company, anna } = await office()
  const phone = await anna.dial('30112233')
  const call = await host.calls.take()
  await answer(call, false)
  expect(await phone.ended()).toMatchObject({ why: 'refused', status: 503 })
  await eventually(() => expect(call.isOver).toBe(true))
  await logged('the SDP answer to a call does not fit', '"level":"warn"', '"why":"')
  const received = anna.trace.read({ sipCallId: phone.call.id }).map(({ text }) => text)
  expect(received.findLast((text) => text.startsWith('SIP/2.0 503'))).toContain('SIP;cause=488')
  await callIs(company, 'ended')
})
