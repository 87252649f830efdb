import { expect, onTestFinished, test } from 'vitest'

import { startEdge } from '../../server/roles/edge.ts'
import type { SipCall } from '../../server/sip/index.ts'
import { callIs, eventually, followCallEvents } from '../harness/calls/call-events.ts'
import { type Employee, numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import type { TestCompany } from '../harness/index.ts'
import { expectNoLiveRows } from '../harness/processes/no-live-rows.ts'
import { joining, replacesOf } from '../harness/sip/replaces.ts'
import { transferWith } from '../harness/sip/transfer-with.ts'
import { channelsOf, findTonePair } from '../harness/sound/audio-analysis.ts'

const phoneSystem = await openPhoneSystem({ BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' })
const { bellhop, dial, hire, hireAt, edge } = phoneSystem

const uriOf = (user: string) => `sip:${user}@127.0.0.1:${edge.port}`

async function extensionOf(company: TestCompany, { id }: Employee): Promise<string> {
  const { extensions } = (await company.api.get('/extensions')).body
  return extensions.find((one: { employee_id: string }) => one.employee_id === id).extension
}

const statusOf = async (company: TestCompany, { id }: Employee) =>
  (await company.api.get(`/employees/${id}`)).body.status

const internalRows = ({ companyId }: TestCompany) => bellhop.db.sql<{ state: string; end_reason: string }[]>`
  select state, end_reason from internal_calls where company_id = ${companyId} order by id`

interface Places {
  hireAnna?: typeof hire
  hireBob?: typeof hire
}

/** Anna has a customer on hold and has called Bob, whose phone rings. */
async function consultation({ hireAnna = hire, hireBob = hire }: Places = {}) {
  const company = await bellhop.newCompany()
  const anna = await hireAnna(company, 'Anna', 700)
  const bob = await hireBob(company, 'Bob', 800)
  const flow = { type: 'TransferConfig', employee_ids: [anna.id] }
  const { number } = await numberWith(bellhop, company, flow, { recording_enabled: true })
  const told = await followCallEvents(bellhop, company)
  const customer = await dial(number)
  await customer.connected()
  const phone = await anna.rings()
  await phone.answer()
  await Promise.all([customer.hears(700), phone.hears(440)])
  const { id } = await callIs(company, 'bridged')
  expect((await phone.hold()).ok).toBe(true)
  const inquiry = await anna.dial(await extensionOf(company, bob))
  const bobsPhone = await bob.rings()
  return { company, anna, bob, customer, phone, inquiry, bobsPhone, told, id: id as string }
}

/** Bob has answered: Anna talks to him. */
async function consulted(places?: Places) {
  const scene = await consultation(places)
  await scene.bobsPhone.answer()
  await scene.inquiry.answered()
  await Promise.all([scene.inquiry.hears(800), scene.bobsPhone.hears(700)])
  return scene
}

type Scene = Awaited<ReturnType<typeof consultation>>

/** The customer talks to Bob in the same call, and Anna is free. */
async function isPutThrough({ company, anna, bob, customer, phone, inquiry, bobsPhone, id }: Scene) {
  await eventually(() => expect([phone.call.isOver, inquiry.call.isOver]).toEqual([true, true]))
  await Promise.all([customer.hears(800), bobsPhone.hears(440)])
  expect(await callIs(company, 'bridged')).toMatchObject({ id })
  await eventually(async () => {
    expect(await statusOf(company, anna)).toBe('available')
    expect(await internalRows(company)).toEqual([{ state: 'ended', end_reason: 'transferred' }])
  })
  expect(await statusOf(company, bob)).toBe('on_call')
  expect((await bob.api.get('/calls/active')).body).toMatchObject({ call: { id }, transfer: null })
  const transfers = await bellhop.db.sql`
    select state, from_employee_id, to_employee_id from transfers where company_id = ${company.companyId}`
  expect(transfers).toEqual([{ state: 'completed', from_employee_id: anna.uuid, to_employee_id: bob.uuid }])
}

/** The customer hangs up: it was one call with one recording. */
async function wasOneCall({ company, customer, bobsPhone, told, id }: Scene) {
  customer.hangUp()
  await bobsPhone.ended()
  const call = await callIs(company, 'ended')
  expect(call.id).toBe(id)
  expect(call.employees.map(({ name }: { name: string }) => name)).toEqual(['Anna', 'Bob'])
  const events = (await told()).map(({ event }) => event)
  expect(events).toEqual(['call.initiated', 'call.queued', 'call.answered', 'call.ended'])
  const response = await fetch(call.recording_url)
  const [left, right] = channelsOf(Buffer.from(await response.arrayBuffer()))
  const withAnna = findTonePair(left!, 440, right!, 700)
  expect(withAnna).toBeGreaterThanOrEqual(0)
  expect(findTonePair(left!, 440, right!, 800)).toBeGreaterThan(withAnna)
  await expectNoLiveRows(bellhop)
}

test('a phone joins its customer with the coworker it talks to, by a REFER in either call', async () => {
  for (const refersIn of ['customer', 'internal'] as const) {
    const scene = await consulted()
    const { anna, bob, phone, inquiry } = scene
    const [own, named] = refersIn === 'customer' ? [phone, inquiry] : [inquiry, phone]
    const target = joining(uriOf(bob.device.username), replacesOf(anna.trace, named.call))
    const { status, outcome } = await transferWith(own.call, target)
    expect(status).toBe(202)
    expect(await outcome()).toBe(200)
    await isPutThrough(scene)
    // The phone learns the outcome before its call ends.
    const received = anna.trace.read({ sipCallId: own.call.id }).map(({ text }) => text)
    const last = received.filter((text) => /^(NOTIFY [^]*SIP\/2\.0 200 OK|BYE )/.test(text))
    expect(last.map((text) => text.split(' ')[0])).toEqual(['NOTIFY', 'BYE'])
    await wasOneCall(scene)
  }
})

test('a phone that hangs up its call with the coworker before the transfer is accepted does not lose the coworker', async () => {
  const scene = await consulted()
  const { anna, bob, phone, inquiry } = scene
  const target = joining(uriOf(bob.device.username), replacesOf(anna.trace, inquiry.call))
  const transfer = transferWith(phone.call, target)
  inquiry.hangUp()
  expect((await transfer).status).toBe(202)
  await isPutThrough(scene)
  await wasOneCall(scene)
})

test('a phone that transfers while the coworker still rings leaves the customer to the coworker, who is rung once', async () => {
  const scene = await consultation()
  const { company, anna, bob, customer, phone, inquiry, bobsPhone, id } = scene
  const target = joining(uriOf(bob.device.username), replacesOf(anna.trace, inquiry.call))
  const { status, outcome } = await transferWith(phone.call, target)
  expect(status).toBe(202)
  expect(await inquiry.ended()).toMatchObject({ why: 'refused', status: 487 })
  await eventually(async () =>
    expect((await anna.api.get('/calls/active')).body).toMatchObject({
      call: { id, state: 'answered' },
      transfer: { state: 'ringing', to_employee: { name: 'Bob' } },
    }),
  )
  expect(await statusOf(company, bob)).toBe('ringing')
  await bobsPhone.answer()
  expect(await outcome()).toBe(200)
  await phone.ended()
  await Promise.all([customer.hears(800), bobsPhone.hears(440)])
  expect(bob.unanswered()).toBe(0)
  await wasOneCall(scene)
})

test('a coworker who declines while the phone transfers returns the customer to the phone', async () => {
  const scene = await consultation()
  const { company, anna, bob, customer, phone, inquiry, bobsPhone } = scene
  const target = joining(uriOf(bob.device.username), replacesOf(anna.trace, inquiry.call))
  const { outcome } = await transferWith(phone.call, target)
  bobsPhone.decline()
  expect(await outcome()).toBe(603)
  expect((await phone.resume()).ok).toBe(true)
  await Promise.all([customer.hears(700), phone.hears(440)])
  await callIs(company, 'bridged')
  customer.hangUp()
  await expectNoLiveRows(bellhop)
})

test('a phone joins only its own calls, and never two customers', async () => {
  const scene = await consulted()
  const { company, anna, bob, customer, phone, inquiry, bobsPhone } = scene
  const refer = async (call: SipCall, replaces: string) =>
    (await transferWith(call, joining(uriOf(bob.device.username), replaces))).status
  const own = replacesOf(anna.trace, inquiry.call)
  const bobs = replacesOf(bob.trace, bobsPhone.call)
  // Bob's leg of the same call, that of another company, this very call, and none at all.
  const stranger = await bellhop.newCompany()
  const carol = await hire(stranger, 'Carol', 900)
  const dora = await hire(stranger, 'Dora', 950)
  const others = await carol.dial(await extensionOf(stranger, dora))
  await (await dora.rings()).answer()
  await others.answered()
  for (const replaces of [
    bobs,
    replacesOf(carol.trace, others.call),
    replacesOf(anna.trace, phone.call),
    own.replace('to-tag=', 'to-tag=x'),
  ])
    expect({ replaces, status: await refer(phone.call, replaces) }).toEqual({ replaces, status: 404 })
  expect(await refer(others.call, own)).toBe(404)

  const second = await anna.dial('20112233')
  const other = await phoneSystem.callee()
  await other.answer()
  await second.answered()
  await second.hears(500)
  expect(await refer(phone.call, replacesOf(anna.trace, second.call))).toBe(603)
  expect(await refer(second.call, replacesOf(anna.trace, phone.call))).toBe(603)
  expect((await phone.resume()).ok).toBe(true)
  await Promise.all([customer.hears(700), inquiry.hears(800), other.hears(700)])
  expect(await internalRows(company)).toMatchObject([{ state: 'answered' }])
})

/** Another edge, for one test. */
async function secondEdge() {
  const second = await startEdge(bellhop.parts)
  onTestFinished(() => second.stop())
  return hireAt(second.port)
}

test('a phone at another edge than its customer joins them with the coworker, wherever the coworker’s phone is', async () => {
  const hireThere = await secondEdge()
  for (const hireBob of [hire, hireThere])
    for (const refersIn of ['customer', 'internal'] as const) {
      const scene = await consulted({ hireAnna: hireThere, hireBob })
      const { anna, bob, phone, inquiry } = scene
      const [own, named] = refersIn === 'customer' ? [phone, inquiry] : [inquiry, phone]
      const target = joining(uriOf(bob.device.username), replacesOf(anna.trace, named.call))
      const { status, outcome } = await transferWith(own.call, target)
      expect(status).toBe(202)
      expect(await outcome()).toBe(200)
      await isPutThrough(scene)
      await wasOneCall(scene)
    }
})

test('a coworker who was taken over from another edge can hold the customer and transfer them on', async () => {
  const hireThere = await secondEdge()
  const scene = await consulted({ hireAnna: hireThere, hireBob: hireThere })
  const { company, anna, bob, customer, phone, inquiry, bobsPhone } = scene
  const carol = await hire(company, 'Carol', 900)
  await transferWith(phone.call, joining(uriOf(bob.id), replacesOf(anna.trace, inquiry.call)))
  await isPutThrough(scene)
  expect((await bobsPhone.hold()).ok).toBe(true)
  await customer.until('music', () => customer.last(400)?.some((sample) => Math.abs(sample) > 1_000))
  expect((await bobsPhone.resume()).ok).toBe(true)
  await customer.hears(800)
  expect((await transferWith(bobsPhone.call, uriOf(carol.id))).status).toBe(202)
  const carolsPhone = await carol.rings()
  await carolsPhone.answer()
  await bobsPhone.ended()
  await Promise.all([customer.hears(900), carolsPhone.hears(440)])
  carolsPhone.hangUp()
  await customer.ended()
  await expectNoLiveRows(bellhop)
})

test('a phone at another edge transfers while the coworker still rings, and the coworker answers or declines', async () => {
  const hireThere = await secondEdge()
  for (const answers of [true, false]) {
    const scene = await consultation({ hireAnna: hireThere })
    const { anna, bob, customer, phone, inquiry, bobsPhone } = scene
    const target = joining(uriOf(bob.id), replacesOf(anna.trace, inquiry.call))
    const { status, outcome } = await transferWith(phone.call, target)
    expect(status).toBe(202)
    expect(await inquiry.ended()).toMatchObject({ why: 'refused', status: 487 })
    if (answers) await bobsPhone.answer()
    else bobsPhone.decline()
    expect(await outcome()).toBe(answers ? 200 : 603)
    expect(bob.unanswered()).toBe(0)
    if (answers) await Promise.all([customer.hears(800), bobsPhone.hears(440)])
    else expect((await phone.resume()).ok).toBe(true)
    if (!answers) await Promise.all([customer.hears(700), phone.hears(440)])
    customer.hangUp()
    await expectNoLiveRows(bellhop)
  }
})

test('a coworker who called from another edge is put through to a customer whom the phone has called', async () => {
  const hireThere = await secondEdge()
  for (const hireAnna of [hire, hireThere]) {
    const company = await bellhop.newCompany()
    const anna = await hireAnna(company, 'Anna', 700)
    const bob = await hire(company, 'Bob', 800)
    await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
    const bobsPhone = await bob.dial(await extensionOf(company, anna))
    const inquiry = await anna.rings()
    await inquiry.answer()
    await bobsPhone.answered()
    await bobsPhone.hears(700)
    const phone = await anna.dial('20112233')
    const customer = await phoneSystem.callee()
    await customer.answer()
    await phone.answered()
    await Promise.all([customer.hears(700), callIs(company, 'bridged')])
    const target = joining(uriOf('20112233'), replacesOf(anna.trace, phone.call))
    const { status, outcome } = await transferWith(inquiry.call, target)
    expect(status).toBe(202)
    expect(await outcome()).toBe(200)
    await Promise.all([phone.ended(), inquiry.ended()])
    await Promise.all([customer.hears(800), bobsPhone.hears(500)])
    bobsPhone.hangUp()
    await customer.ended()
    const { employees } = await callIs(company, 'ended')
    expect(employees.map(({ name }: { name: string }) => name)).toEqual(['Anna', 'Bob'])
    await expectNoLiveRows(bellhop)
  }
})

const dialWith = (employee: Employee, replaces: string) =>
  employee.dial('whatever', { replaces, require: 'replaces' })

test('a phone takes over the call of the same employee’s other phone by an INVITE with Replaces, and nobody else’s', async () => {
  const scene = await consulted()
  const { anna, bob, customer, phone, inquiry, bobsPhone } = scene
  const replaces = replacesOf(anna.trace, phone.call)
  const refused: [Employee, string, number][] = [
    [bob, replaces, 481],
    [anna, replacesOf(bob.trace, bobsPhone.call), 481],
    [anna, 'nothing;to-tag=1;from-tag=2', 481],
    [anna, `${replaces};early-only`, 486],
    [anna, 'nothing;to-tag=1', 400],
  ]
  for (const [employee, named, status] of refused) {
    const attempt = await dialWith(employee, named)
    expect(await attempt.ended()).toMatchObject({ why: 'refused', status })
  }
  const other = await dialWith(anna, replaces)
  await other.answered()
  await phone.ended()
  await Promise.all([customer.hears(700), other.hears(440)])

  const consulting = await dialWith(anna, replacesOf(anna.trace, inquiry.call))
  await consulting.answered()
  await inquiry.ended()
  await Promise.all([bobsPhone.hears(700), consulting.hears(800)])
  const target = joining(uriOf(bob.id), replacesOf(anna.trace, consulting.call))
  expect((await transferWith(other.call, target)).status).toBe(202)
  await isPutThrough({ ...scene, phone, inquiry })
  await wasOneCall(scene)
})
