import { createSocket } from 'node:dgram'
import { once } from 'node:events'

import { expect, onTestFinished, test } from 'vitest'

import { startEdge } from '../../server/roles/edge.ts'
import { callIs, eventually, followCallEvents } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { expectNoLiveRows } from '../harness/processes/no-live-rows.ts'
import { startBaresip } from '../harness/sip/baresip.ts'
import { transferWith } from '../harness/sip/transfer-with.ts'
import { loudness, toneShare } from '../harness/sound/audio-analysis.ts'

const phoneSystem = await openPhoneSystem({ BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' })
const { bellhop, dial, hire, callee, edge } = phoneSystem

const uriOf = (user: string) => `sip:${user}@127.0.0.1:${edge.port}`

/** A customer calls Anna, and Bob is available. */
async function callToAnna(hireAnna = hire) {
  const company = await bellhop.newCompany()
  const anna = await hireAnna(company, 'Anna', 700)
  const bob = await hire(company, 'Bob', 800)
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const told = await followCallEvents(bellhop, company)
  const customer = await dial(number)
  await customer.connected()
  return { company, anna, bob, customer, told }
}

async function conversation(hireAnna = hire) {
  const scene = await callToAnna(hireAnna)
  const phone = await scene.anna.rings()
  await phone.answer()
  await scene.customer.hears(700)
  const { id } = await callIs(scene.company, 'bridged')
  return { ...scene, phone, id: id as string }
}

type Scene = Awaited<ReturnType<typeof callToAnna>>

/** Loud, and not one of the tones of the participants. */
const hearsMusic = ({ customer }: Pick<Scene, 'customer'>) => {
  const from = customer.heard.length
  return customer.until('music', () => {
    const sound = customer.last(400, from)
    return sound && loudness(sound) > 300 && [600, 700, 800].every((hz) => toneShare(sound, hz) < 0.3)
  })
}

/** The customer hangs up: it was a single call, with these employees. */
async function isOver({ company, customer, told }: Scene, employees: string[]) {
  customer.hangUp()
  await customer.ended()
  const call = await callIs(company, 'ended')
  expect(call.employees.map(({ name }: { name: string }) => name)).toEqual(employees)
  const events = (await told()).map(({ event }) => event)
  expect(events).toEqual(['call.initiated', 'call.queued', 'call.answered', 'call.ended'])
  await expectNoLiveRows(bellhop)
}

test('a phone transfers its call: the customer hears music and then the coworker, and the phone receives the outcome', async () => {
  const scene = await conversation()
  const { company, anna, bob, customer, phone, id } = scene
  const { status, outcome } = await transferWith(phone.call, uriOf(bob.device.username))
  expect(status).toBe(202)
  const bobsPhone = await bob.rings()
  await Promise.all([hearsMusic(scene), phone.hears(425)])
  const { call, transfer } = (await anna.api.get('/calls/active')).body
  expect(call).toMatchObject({ id, state: 'answered' })
  expect(transfer).toMatchObject({ state: 'ringing', from_employee: { name: 'Anna' } })
  expect((await transferWith(phone.call, uriOf(bob.id))).status).toBe(491)

  await bobsPhone.answer()
  expect(await outcome()).toBe(200)
  await phone.ended()
  await Promise.all([customer.hears(800), bobsPhone.hears(440)])
  expect(await callIs(company, 'bridged')).toMatchObject({ id })
  const done = await anna.api.post(`/calls/${id}/transfers/${transfer.id}/completion`)
  expect(done).toMatchObject({ status: 200, body: { transfer: { state: 'completed' } } })
  expect((await anna.api.get('/calls/active')).status).toBe(204)
  expect((await bob.api.get('/calls/active')).body.call).toMatchObject({ id })
  await isOver(scene, ['Anna', 'Bob'])
})

test('a phone that placed a call and hangs up at the moment of its transfer leaves the customer to the coworker who answers', async () => {
  const company = await bellhop.newCompany()
  const [anna, bob] = [await hire(company, 'Anna', 700), await hire(company, 'Bob', 800)]
  await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const told = await followCallEvents(bellhop, company)
  const phone = await anna.dial('20112233')
  const customer = await callee()
  await customer.answer()
  await phone.answered()
  await Promise.all([phone.hears(500), customer.hears(700)])
  void phone.call.refer({ target: uriOf(bob.id) }, () => {})
  phone.hangUp()
  const bobsPhone = await bob.rings()
  await bobsPhone.answer()
  await Promise.all([customer.hears(800), bobsPhone.hears(500)])
  expect(await callIs(company, 'bridged')).toMatchObject({ initiated_by: { id: anna.id } })
  bobsPhone.hangUp()
  await customer.ended()
  const { employees } = await callIs(company, 'ended')
  expect(employees.map(({ name }: { name: string }) => name)).toEqual(['Anna', 'Bob'])
  const events = (await told()).map(({ event }) => event)
  expect(events).toEqual(['call.initiated', 'call.answered', 'call.ended'])
})

test('a transfer that nobody answers returns the customer to the phone, which resumes the call from hold', async () => {
  const scene = await conversation()
  const { anna, bob, customer, phone } = scene
  expect((await phone.hold()).ok).toBe(true)
  await hearsMusic(scene)
  const { status, outcome } = await transferWith(phone.call, uriOf(bob.id))
  expect(status).toBe(202)
  const bobsPhone = await bob.rings()
  bellhop.clock.advance(30_000)
  expect(await bobsPhone.ended()).toEqual({ why: 'cancelled' })
  expect(await outcome()).toBe(480)
  await hearsMusic(scene)
  expect((await phone.resume()).ok).toBe(true)
  await Promise.all([customer.hears(700), phone.hears(440)])
  await isOver(scene, ['Anna'])
  // Her phone, which hangs up at the moment of the failure, must not ring for a customer who is gone.
  expect(anna.unanswered()).toBe(0)
})

test('a transfer that fails after its phone hung up rings that phone again, and only then hangs up the customer', async () => {
  const scene = await conversation()
  const { company, anna, bob, customer, phone, told } = scene
  let held = phone
  for (const answers of [true, false]) {
    expect((await transferWith(held.call, uriOf(bob.id))).status).toBe(202)
    held.hangUp()
    const bobsPhone = await bob.rings()
    bobsPhone.decline()
    const again = await anna.rings()
    await hearsMusic(scene)
    await callIs(company, 'answered')
    expect((await anna.api.get('/calls/active')).body.transfer).toBeNull()
    if (!answers) break
    await again.answer()
    await Promise.all([customer.hears(700), again.hears(440)])
    await callIs(company, 'bridged')
    held = again
  }
  bellhop.clock.advance(30_000)
  await customer.ended()
  await callIs(company, 'ended')
  expect((await told()).filter(({ event }) => event === 'call.ended')).toHaveLength(1)
  await expectNoLiveRows(bellhop)
})

test('a transfer that is not possible is refused with its reason, and the conversation continues', async () => {
  const scene = await conversation()
  const { company, anna, bob, customer, phone } = scene
  const carol = await hire(company, 'Carol', 900)
  await carol.api.put(`/employees/${carol.id}/do_not_disturb`, { enabled: true })
  await company.api.patch(`/employees/${carol.id}`, { phone: '+4520304050' })
  for (const { id } of [anna, bob]) await company.api.patch(`/employees/${id}`, { phone: '+4520304051' })
  const dora = await hire(await bellhop.newCompany(), 'Dora', 950)
  const busy = [carol.device.username, carol.id, '+4520304050', '20304050', '*1*20304050']
  const cases: [string, number][] = [
    ...busy.map((user): [string, number] => [uriOf(encodeURIComponent(user)), 480]),
    ['tel:+4520304050', 480],
    [uriOf(anna.id), 403],
    [uriOf('+4520112233'), 403],
    [uriOf('20304051'), 485],
    [uriOf('bob'), 404],
    [uriOf(dora.device.username), 404],
    [uriOf(dora.id), 404],
    [`${uriOf(bob.id)}?Replaces=nothing%3Bto-tag%3Da%3Bfrom-tag%3Db`, 404],
    ['mailto:bob@example.com', 404],
  ]
  for (const [target, status] of cases)
    expect({ target, ...(await transferWith(phone.call, target)) }).toMatchObject({ target, status })
  expect((await transferWith(customer.call, uriOf(bob.id))).status).toBe(603)
  await Promise.all([customer.hears(700), phone.hears(440)])
  expect(bob.unanswered()).toBe(0)
  await isOver(scene, ['Anna'])
})

test('a REFER outside a call is refused, whoever sends it', async () => {
  const { phone, customer } = await conversation()
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  onTestFinished(() => void socket.close())
  await once(socket, 'listening')
  const { port } = socket.address()
  const ask = async (toTag: string, cseq: number) => {
    const lines = [
      `REFER ${uriOf('edge')} SIP/2.0`,
      `Via: SIP/2.0/UDP 127.0.0.1:${port};branch=z9hG4bK${port}${cseq};rport`,
      `From: <sip:unknown@127.0.0.1:${port}>;tag=unknown`,
      `To: <${uriOf('edge')}>${toTag}`,
      // Somebody who has overheard the Call-ID still does not know the tags.
      `Call-ID: ${phone.call.id}`,
      `CSeq: ${cseq} REFER`,
      `Contact: <sip:unknown@127.0.0.1:${port}>`,
      'Max-Forwards: 70',
      `Refer-To: <${uriOf('+4520112233')}>`,
      'Content-Length: 0',
    ]
    socket.send(`${lines.join('\r\n')}\r\n\r\n`, edge.port, '127.0.0.1')
    const [answer] = (await once(socket, 'message')) as [Buffer]
    return Number(/^SIP\/2\.0 (\d{3})/.exec(answer.toString())![1])
  }
  expect(await ask('', 1)).toBe(405)
  expect(await ask(';tag=guessed', 2)).toBe(481)
  await customer.hears(700)
})

test('a phone at another edge than the call can transfer it too', async () => {
  const second = await startEdge(bellhop.parts)
  onTestFinished(() => second.stop())
  const scene = await conversation(phoneSystem.hireAt(second.port))
  const { bob, customer, phone } = scene
  expect((await transferWith(phone.call, uriOf('nobody'))).status).toBe(404)
  const { status, outcome } = await transferWith(phone.call, uriOf(bob.id))
  expect(status).toBe(202)
  const bobsPhone = await bob.rings()
  await bobsPhone.answer()
  expect(await outcome()).toBe(200)
  await phone.ended()
  await Promise.all([customer.hears(800), bobsPhone.hears(440)])
  await isOver(scene, ['Anna', 'Bob'])
})

test('baresip transfers its call: it hangs up and is recalled if nobody answers, and leaves the call if somebody does', async () => {
  const company = await bellhop.newCompany()
  const [anna, bob] = [await hire(company, 'Anna', 700), await hire(company, 'Bob', 800)]
  const { username: user, password } = anna.device
  const desk = { user, password, port: edge.port, protocol: 'udp', answers: 'auto', hz: 600 } as const
  const baresip = await startBaresip(desk)
  onTestFinished(() => baresip.stop())
  await eventually(async () => {
    const lines = await bellhop.db.sql`select from device_registrations where username = ${user}`
    expect(lines).toHaveLength(2)
  })
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const told = await followCallEvents(bellhop, company)
  const customer = await dial(number)
  await customer.connected()
  await baresip.event('CALL_ESTABLISHED')
  await Promise.all([customer.hears(600), baresip.hears(440)])
  await callIs(company, 'bridged')

  baresip.command('transfer', uriOf(bob.device.username))
  ;(await bob.rings()).decline()
  await baresip.event('TRANSFER_FAILED')
  await baresip.event('CALL_ESTABLISHED')
  await Promise.all([customer.hears(600), baresip.hears(440)])
  await callIs(company, 'bridged')

  baresip.command('transfer', uriOf(bob.device.username))
  const bobsPhone = await bob.rings()
  await hearsMusic({ customer })
  await bobsPhone.answer()
  await baresip.event('CALL_CLOSED')
  await Promise.all([customer.hears(800), bobsPhone.hears(440)])
  await isOver({ company, anna, bob, customer, told }, ['Anna', 'Bob'])
})
