import { afterAll, expect, inject, test } from 'vitest'

import { openDatabase } from '../../server/platform/db/database.ts'
import { startEdge } from '../../server/roles/edge.ts'
import { createCallControl } from '../../server/telephony/call/control.ts'
import { callIs, eventually, followCallEvents } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { expectNoLiveRows } from '../harness/processes/no-live-rows.ts'
import { startPostgresProxy } from '../harness/processes/postgres-proxy.ts'
import { hearsMusic } from '../harness/sound/hears-all.ts'
import { passTimeUntil } from '../harness/test-clock.ts'

const phoneSystem = await openPhoneSystem({ BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' })
const { bellhop, dial } = phoneSystem

/** An edge whose connection to the database can be cut; the API has its own. */
const server = inject('postgres')
const proxy = await startPostgresProxy(`${server.host}/.s.PGSQL.${server.port}`)
const { database } = bellhop.db.address as { database: string }
const db = openDatabase({ ...proxy.address, user: server.user, database }, { poolSize: 5 })
let isDeaf = false
const edge = await startEdge({
  ...bellhop.parts,
  db,
  createControl(edge) {
    const control = createCallControl(edge)
    return {
      ...control,
      execute: (...asked) => (isDeaf ? new Promise(() => {}) : control.execute(...asked)),
    }
  },
})
phoneSystem.connectCarrier('cut off', edge.port)
afterAll(async () => {
  await edge.stop()
  await db.close()
})

async function ringing() {
  const company = await bellhop.newCompany()
  const hire = phoneSystem.hireAt(edge.port)
  const anna = await hire(company, 'Anna', 700)
  const bob = await hire(company, 'Bob', 800)
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const told = await followCallEvents(bellhop, company)
  const customer = await dial(number, { over: 'cut off' })
  await customer.connected()
  const phone = await anna.rings()
  const events = async () => (await told()).map(({ event }) => event)
  return { company, anna, bob, customer, phone, events }
}

async function talking() {
  const scene = await ringing()
  await scene.phone.answer()
  await Promise.all([scene.customer.hears(700), scene.phone.hears(440)])
  const { id } = await callIs(scene.company, 'bridged')
  return { ...scene, path: `/calls/${id}/transfers` }
}

/** The next commits are made but not acknowledged. A new connection sends the whole word; later it is abbreviated. */
function breakCommits(): void {
  proxy.cut()()
  proxy.breakAll({ word: 'commit', when: 'before its answer', how: 'reset' }, 4)
}

const PARKED_MS = 3 * 60_000
const ANSWERED = ['call.initiated', 'call.queued', 'call.answered', 'call.ended']

test('during a database outage a conversation continues; a hang-up takes effect at once and is stored once afterwards', async () => {
  const { company, customer, phone, events } = await talking()
  const mend = proxy.cut()
  await Promise.all([customer.hears(700), phone.hears(440)])
  customer.hangUp()
  expect(await phone.ended()).toEqual({ why: 'hungUp', by: 'peer' })
  await callIs(company, 'bridged')
  mend()
  await callIs(company, 'ended')
  await expectNoLiveRows(bellhop)
  expect(await events()).toEqual(ANSWERED)
})

test('an employee answers during a database outage: they talk, one hangs up, and everything is stored later', async () => {
  const { company, anna, customer, phone, events } = await ringing()
  const mend = proxy.cut()
  await phone.answer()
  await Promise.all([customer.hears(700), phone.hears(440)])
  phone.hangUp()
  await customer.ended()
  await callIs(company, 'queued')
  mend()
  expect(await callIs(company, 'ended')).toMatchObject({ employees: [{ id: anna.id }] })
  await expectNoLiveRows(bellhop)
  expect(await events()).toEqual(ANSWERED)
})

test('the same, even if it is unknown whether the queue entry was stored', async () => {
  proxy.hideCommitOf('insert into call_queue')
  const { company, customer, phone, events } = await ringing()
  const mend = proxy.cut()
  await phone.answer()
  await Promise.all([customer.hears(700), phone.hears(440)])
  phone.hangUp()
  await customer.ended()
  mend()
  await callIs(company, 'ended')
  await expectNoLiveRows(bellhop)
  expect(await events()).toEqual(ANSWERED)
})

test('a parked customer hears music through a database outage, and returns to who parked the call after it', async () => {
  const { company, anna, customer, phone, path } = await talking()
  expect((await anna.api.post(path.replace('transfers', 'park'), {})).status).toBe(200)
  await phone.ended()
  const mend = proxy.cut()
  await hearsMusic(customer, 700)
  // Nobody knows now whether she is on another call.
  bellhop.clock.advance(PARKED_MS)
  await hearsMusic(customer, 700)
  mend()
  await eventually(() => db.sql`select 1`)
  bellhop.clock.advance(PARKED_MS)
  const again = await anna.rings()
  await again.answer()
  await Promise.all([customer.hears(700), again.hears(440)])
  again.hangUp()
  await customer.ended()
  await callIs(company, 'ended')
  await expectNoLiveRows(bellhop)
})

test('a transfer continues through a database outage, to its end', async () => {
  const { company, anna, bob, customer, phone, path, events } = await talking()
  expect((await anna.api.post(path, { employee_id: bob.id })).status).toBe(201)
  const bobsPhone = await bob.rings()
  const mend = proxy.cut()
  await bobsPhone.answer()
  await Promise.all([phone.hears(800), bobsPhone.hears(700)])
  phone.hangUp()
  await Promise.all([customer.hears(800), bobsPhone.hears(440)])
  mend()
  await eventually(async () => {
    expect((await bob.api.get('/calls/active')).body).toMatchObject({
      call: { state: 'bridged' },
      transfer: null,
    })
  })
  customer.hangUp()
  const ended = await callIs(company, 'ended')
  expect(ended.employees.map(({ name }: { name: string }) => name)).toEqual(['Anna', 'Bob'])
  await expectNoLiveRows(bellhop)
  expect(await events()).toEqual(ANSWERED)
})

test('a transfer requested by a phone during a database outage is refused quickly; the conversation continues and the phone may retry', async () => {
  const { bob, customer, phone } = await talking()
  const target = `sip:${bob.id}@127.0.0.1`
  const mend = proxy.cut()
  let status: number | undefined
  void phone.call.refer({ target }, () => {}).then((answered) => (status = answered))
  await eventually(() => {
    bellhop.clock.advance(1_000)
    expect(status).toBe(503)
  })
  await Promise.all([customer.hears(700), phone.hears(440)])
  mend()
  await eventually(async () => expect(await phone.call.refer({ target }, () => {})).toBe(202))
  const bobsPhone = await bob.rings()
  await bobsPhone.answer()
  await Promise.all([customer.hears(800), bobsPhone.hears(440)])
  customer.hangUp()
  await expectNoLiveRows(bellhop)
})

test('a write that was committed but not acknowledged is published once', async () => {
  const { company, customer, phone, events } = await ringing()

  breakCommits()
  await phone.answer()
  await callIs(company, 'bridged')
  await eventually(() => expect(proxy.breaksLeft()).toBe(0))
  breakCommits()
  customer.hangUp()
  await callIs(company, 'ended')
  await eventually(() => expect(proxy.breaksLeft()).toBe(0))
  await expectNoLiveRows(bellhop)
  expect(await events()).toEqual(ANSWERED)
})

/** What begins the call, and its refusal. */
const STARTS = {
  'insert into calls': {
    inbound: async ({ number }: Office) => {
      const customer = await dial(number, { over: 'cut off' })
      return customer.ended()
    },
    outbound: async ({ anna }: Office) => (await anna.dial('20112233')).ended(),
  },
  'insert into internal_calls': {
    internal: async ({ anna, extension }: Office) => (await anna.dial(extension)).ended(),
  },
}

type Office = Awaited<ReturnType<typeof office>>

async function office() {
  const company = await bellhop.newCompany()
  // All of its steps end with a COMMIT that can be hidden.
  await followCallEvents(bellhop, company)
  const hire = phoneSystem.hireAt(edge.port)
  const anna = await hire(company, 'Anna', 700)
  const bob = await hire(company, 'Bob', 800)
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const { extensions } = (await company.api.get('/extensions')).body
  const { extension } = extensions.find((one: { employee_id: string }) => one.employee_id === bob.id)
  return { company, anna, extension: extension as string, number }
}

test.each(
  Object.entries(STARTS).flatMap(([word, starts]) =>
    Object.entries(starts).map(([direction, start]) => ({ word, direction, start })),
  ),
)(
  'the $direction call that was stored and refused, because that was not acknowledged, has ended',
  async ({ word, start }) => {
    const scene = await office()
    proxy.hideCommitOf(word)
    const refused = start(scene)
    const { companyId } = scene.company
    const live = () => bellhop.db.sql`
      select from calls where company_id = ${companyId} and state <> 'ended'
      union all select from internal_calls where company_id = ${companyId} and state <> 'ended'`
    await eventually(async () => expect(await live()).toHaveLength(1))
    proxy.cut()()
    expect(await refused).toMatchObject({ why: 'refused', status: 503 })
    await expectNoLiveRows(bellhop)
  },
)

test('the inbound call that was answered, and hung up because its commit was not acknowledged, has ended', async () => {
  const company = await bellhop.newCompany()
  const anna = await phoneSystem.hireAt(edge.port)(company, 'Anna', 700)
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  // The next connections have prepared nothing, so the proxy sees the statement.
  proxy.cut()()
  proxy.hideEndOf('insert into calls')
  const customer = await dial(number, { over: 'cut off' })
  await customer.connected()
  const states = async () => {
    const rows = await bellhop.db.sql`select state from calls where company_id = ${company.companyId}`
    return rows.map(({ state }) => state)
  }
  await eventually(async () => expect(await states()).toEqual(['initiated']))
  proxy.cut()()
  expect(await customer.ended()).toEqual({ why: 'hungUp', by: 'peer' })
  await eventually(async () => expect(await states()).toEqual(['ended']))
  await expectNoLiveRows(bellhop)
})

test('a transfer that the edge claimed without ever sending a result stays open until the call ends', async () => {
  const { anna, bob, customer, path } = await talking()
  isDeaf = true
  const asked = anna.api.post(path, { employee_id: bob.id })
  await eventually(async () => {
    const taken = await bellhop.db
      .sql`select from edge_commands where taken_at is not null and answer is null`
    expect(taken).toHaveLength(1)
  })
  expect(await passTimeUntil(bellhop.clock, asked)).toMatchObject({
    status: 502,
    body: { error: 'esl_unreachable' },
  })
  expect((await anna.api.get('/calls/active')).body.transfer).toMatchObject({ state: 'ringing' })
  isDeaf = false
  customer.hangUp()
  await expectNoLiveRows(bellhop)
})

test('an edge stops although that command never ends and PostgreSQL does not respond; the command is then dropped', async () => {
  const mend = proxy.silence()
  await edge.stop()
  mend()
  await eventually(async () => {
    expect(await bellhop.db.sql`select from edges where id = ${edge.id}`).toHaveLength(0)
  })
})
