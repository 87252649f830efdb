import { expect, test } from 'vitest'

import { openDatabase } from '../../server/platform/db/database.ts'
import { migrate } from '../../server/platform/db/migrate.ts'
import { callIs, eventually, followCallEvents } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { openCable } from '../harness/peers/cable-socket.ts'
import { expectNoLiveRows } from '../harness/processes/no-live-rows.ts'
import { startOutsidePostgres } from '../harness/processes/outside-postgres.ts'

const postgres = await startOutsidePostgres()
const phoneSystem = await openPhoneSystem(
  { BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' },
  {},
  {
    async newDatabase() {
      const address = { url: await postgres.newDatabase() }
      await migrate(address)
      return { db: openDatabase(address, { poolSize: 5 }), drop: async () => {} }
    },
  },
)
const { bellhop, dial, hire } = phoneSystem

/** Anna has her own number, which a customer calls. */
async function called() {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const told = await followCallEvents(bellhop, company)
  const events = async () => (await told()).map(({ event }) => event)
  const call = async () => {
    const customer = await dial(number)
    await customer.connected()
    return customer
  }
  return { company, anna, events, call }
}

async function talking() {
  const scene = await called()
  const customer = await scene.call()
  const phone = await scene.anna.rings()
  await phone.answer()
  await Promise.all([customer.hears(700), phone.hears(440)])
  const { id } = await callIs(scene.company, 'bridged')
  return { ...scene, customer, phone, path: `/calls/${id}/transfers` }
}

const ANSWERED = ['call.initiated', 'call.queued', 'call.answered', 'call.ended']
const isReady = async () => (await fetch(`${bellhop.url}/readyz`)).status

test.each(['immediate', 'fast'] as const)(
  'while PostgreSQL restarts (%s) calls continue; afterwards everything is stored once, and every change is published',
  async (mode) => {
    const hungUp = await talking()
    const talksOn = await talking()
    const bob = await hire(talksOn.company, 'Bob', 800)
    const waits = await called()
    const dnd = (enabled: boolean) =>
      waits.anna.api.put(`/employees/${waits.anna.id}/do_not_disturb`, { enabled })
    expect((await dnd(true)).status).toBe(200)
    const waiting = await waits.call()
    await callIs(waits.company, 'queued')
    const before = await openCable(bellhop.url, { key: waits.company.key })

    await postgres.stop(mode)
    await Promise.all(
      [hungUp, talksOn].flatMap(({ customer, phone }) => [customer.hears(700), phone.hears(440)]),
    )
    hungUp.customer.hangUp()
    expect(await hungUp.phone.ended()).toEqual({ why: 'hungUp', by: 'peer' })
    expect(await isReady()).toBe(503)
    await postgres.start()

    await eventually(async () => expect(await isReady()).toBe(200))
    await callIs(hungUp.company, 'ended')
    expect(await hungUp.events()).toEqual(ANSWERED)

    // The edge that has the call receives commands of the API, and the API its results.
    const { customer, phone, path } = talksOn
    const begun = await talksOn.anna.api.post(path, { employee_id: bob.id })
    expect(begun.status).toBe(201)
    const bobsPhone = await bob.rings()
    await bobsPhone.answer()
    await Promise.all([phone.hears(800), bobsPhone.hears(700)])
    const completion = `${path}/${begun.body.transfer.id}/completion`
    await eventually(async () => expect((await bob.api.post(completion)).status).toBe(200))
    await Promise.all([customer.hears(800), bobsPhone.hears(440)])
    customer.hangUp()
    await bobsPhone.ended()
    const ended = await callIs(talksOn.company, 'ended')
    expect(ended.employees.map(({ name }: { name: string }) => name)).toEqual(['Anna', 'Bob'])
    expect(await talksOn.events()).toEqual(ANSWERED)

    // Listeners may have missed something, and are asked to reconnect.
    expect(await before.frame({ type: 'disconnect' })).toMatchObject({ reconnect: true })
    const live = await openCable(bellhop.url, { key: waits.company.key })
    // Only a notification tells the edge that somebody is available again, and clients that something happened.
    expect((await dnd(false)).status).toBe(200)
    const annasPhone = await waits.anna.rings()
    await annasPhone.answer()
    await Promise.all([waiting.hears(700), annasPhone.hears(440)])
    await eventually(() =>
      expect(live.frames.map(({ message }) => message?.type)).toEqual(
        expect.arrayContaining(['presence_update', 'call_update']),
      ),
    )
    annasPhone.hangUp()
    await waiting.ended()
    await expectNoLiveRows(bellhop)
    expect(await waits.events()).toEqual(ANSWERED)
  },
)
