import { expect, test } from 'vitest'

import { callIs, eventually, followCallEvents } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { expectNoLiveRows } from '../harness/processes/no-live-rows.ts'

const { bellhop, dial, hire } = await openPhoneSystem({ BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' })

const LONG = 'Welcome to the longest greeting of all, which goes on and on and on. '.repeat(4)

/** A company of Anna and Bob with a number that has this flow, and a caller who has reached it. */
async function callTo(flow: (annaId: string) => Record<string, unknown>) {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const bob = await hire(company, 'Bob', 800)
  const { number } = await numberWith(bellhop, company, flow(anna.id))
  await bellhop.drainJobs()
  const told = await followCallEvents(bellhop, company)
  const customer = await dial(number)
  await customer.connected()
  return { company, anna, bob, customer, told }
}

type Scene = Awaited<ReturnType<typeof callTo>>

const transfer = (annaId: string) => ({ type: 'TransferConfig', employee_ids: [annaId] })
const hearsSomething = ({ customer }: Scene) =>
  customer.until('a voice', () => customer.last(400)?.some((sample) => Math.abs(sample) > 1_000))

async function answered() {
  const scene = await callTo(transfer)
  const phone = await scene.anna.rings()
  await phone.answer()
  await scene.customer.hears(700)
  const { id } = await callIs(scene.company, 'bridged')
  return { ...scene, phone, path: `/calls/${id}/transfers` }
}

async function transferred() {
  const scene = await answered()
  expect((await scene.anna.api.post(scene.path, { employee_id: scene.bob.id })).status).toBe(201)
  return { ...scene, bobsPhone: await scene.bob.rings() }
}

const STATES: Record<string, () => Promise<Scene>> = {
  async 'hears the welcome'() {
    const scene = await callTo((id) => ({
      type: 'WelcomeTransferConfig',
      welcome: LONG,
      employee_ids: [id],
    }))
    await hearsSomething(scene)
    return scene
  },
  async 'is asked to choose'() {
    const option = { digit: '1', action_type: 'PlayMessageConfig', prompt: 'Thanks.' }
    const scene = await callTo(() => ({ type: 'PhoneMenuConfig', welcome: LONG, menu_options: [option] }))
    await hearsSomething(scene)
    return scene
  },
  async 'waits for somebody'() {
    const scene = await callTo(transfer)
    scene.anna.leave()
    await callIs(scene.company, 'queued')
    return scene
  },
  async 'rings at a phone'() {
    const scene = await callTo(transfer)
    await scene.anna.rings()
    return scene
  },
  'talks to an employee': answered,
  async 'is on hold'() {
    const scene = await answered()
    expect((await scene.phone.hold()).ok).toBe(true)
    await eventually(() =>
      expect(scene.customer.last(400)!.some((sample) => Math.abs(sample) > 500)).toBe(true),
    )
    return scene
  },
  'is to be given to a coworker': transferred,
  async 'is talked about'() {
    const scene = await transferred()
    await scene.bobsPhone.answer()
    await scene.phone.hears(800)
    return scene
  },
  async 'is in a three-way call'() {
    const scene = await transferred()
    await scene.bobsPhone.answer()
    await scene.phone.hears(800)
    const conference = scene.path.replace('transfers', 'conference')
    await eventually(async () => expect((await scene.anna.api.post(conference)).status).toBe(200))
    return scene
  },
  async 'is parked'() {
    const scene = await answered()
    expect((await scene.anna.api.post(scene.path.replace('transfers', 'park'), {})).status).toBe(200)
    return scene
  },
  async 'is parked and rings at a phone'() {
    const scene = await answered()
    expect((await scene.anna.api.post(scene.path.replace('transfers', 'park'), {})).status).toBe(200)
    expect((await scene.bob.api.post(scene.path.replace('transfers', 'retrieve'))).status).toBe(204)
    await scene.bob.rings()
    return scene
  },
  async 'hears the greeting of a voicemail'() {
    const scene = await callTo(() => ({ type: 'VoicemailConfig', greeting: LONG }))
    await hearsSomething(scene)
    return scene
  },
  async 'speaks a voicemail'() {
    const scene = await callTo(() => ({ type: 'VoicemailConfig', greeting: 'Speak.' }))
    await callIs(scene.company, 'recording')
    return scene
  },
}

test.each(Object.entries(STATES))(
  'a customer who %s hangs up, and nothing is left behind',
  async (_, come) => {
    const { company, customer, told } = await come()
    customer.hangUp()
    await callIs(company, 'ended')
    await expectNoLiveRows(bellhop)
    const events = (await told()).map(({ event }) => event)
    expect(events.filter((event) => event === 'call.ended')).toHaveLength(1)
  },
)

test('a customer who hangs up before the answer leaves nothing behind', async () => {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const { number } = await numberWith(bellhop, company, transfer(anna.id))
  const customers = await Promise.all(Array.from({ length: 10 }, () => dial(number)))
  for (const customer of customers) customer.hangUp()
  await Promise.all(customers.map((customer) => customer.ended()))
  await expectNoLiveRows(bellhop)
  const next = await dial(number)
  await next.connected()
  // An INVITE to the others may still be in flight.
  await eventually(async () => {
    const ring = await anna.rings()
    expect(ring.call.isOver).toBe(false)
    await ring.answer()
    await next.hears(700)
  })
  next.hangUp()
  await expectNoLiveRows(bellhop)
})

test('an employee who answers at the moment the customer hangs up is available at once', async () => {
  for (let round = 0; round < 8; round++) {
    const { customer, anna } = await callTo(transfer)
    const phone = await anna.rings()
    const answering = phone.answer().catch(() => {})
    if (round % 2 === 1) await new Promise((resolve) => setImmediate(resolve))
    customer.hangUp()
    await phone.ended()
    void answering
    await expectNoLiveRows(bellhop)
  }
})

test('an employee who answers as the ring timeout expires either has the call or not; no leg is left dangling', async () => {
  for (const isFirst of ['answer', 'timer']) {
    const company = await bellhop.newCompany()
    const anna = await hire(company, 'Anna', 700)
    const bob = await hire(company, 'Bob', 800)
    const { id, number } = await numberWith(bellhop, company, transfer(anna.id))
    const next = { type: 'TransferConfig', employee_ids: [bob.id], timeout_secs: 15 }
    expect((await company.api.put(`/business_numbers/${id}/no_answer_config`, next)).status).toBe(200)
    const customer = await dial(number)
    await customer.connected()
    const phone = await anna.rings()
    if (isFirst === 'timer') bellhop.clock.advance(15_000)
    const answering = phone.answer().catch(() => {})
    if (isFirst === 'answer') bellhop.clock.advance(15_000)
    const bobsPhone = await Promise.race([bob.rings(), customer.hears(700).then(() => undefined)])
    if (bobsPhone) {
      await phone.ended()
      await bobsPhone.answer()
      await customer.hears(800)
    }
    void answering
    customer.hangUp()
    await expectNoLiveRows(bellhop)
  }
})

test('an employee who places a call while their phone rings is no longer rung, and is rung again afterwards', async () => {
  const { anna, customer } = await callTo(transfer)
  const ring = await anna.rings()
  const own = await anna.dial('20112233')
  expect(await ring.ended()).toEqual({ why: 'cancelled' })
  own.hangUp()
  const again = await anna.rings()
  await again.answer()
  await customer.hears(700)
  customer.hangUp()
  await expectNoLiveRows(bellhop)
})
