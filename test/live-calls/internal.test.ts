import { expect, test } from 'vitest'

import { setExtension } from '../../server/modules/employees/index.ts'
import { sdpBody } from '../../server/sip/index.ts'
import { callIs, eventually, followCallEvents } from '../harness/calls/call-events.ts'
import { type Employee, numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import type { TestCompany } from '../harness/index.ts'
import { expectNoLiveRows } from '../harness/processes/no-live-rows.ts'
import { declaredRoutes } from '../harness/routes/routes.ts'
import { loudness, toneShare } from '../harness/sound/audio-analysis.ts'

const { bellhop, hire, carrier, callee, dial, edge } = await openPhoneSystem({
  BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1',
})

async function office() {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const bob = await hire(company, 'Bob', 800)
  return { company, anna, bob, extensionOf: await extensionsOf(company) }
}

async function extensionsOf(company: TestCompany) {
  const { extensions } = (await company.api.get('/extensions')).body
  return ({ id }: Employee): string =>
    extensions.find((one: { employee_id: string }) => one.employee_id === id).extension
}

const internalCalls = async (company: TestCompany) =>
  (await company.api.get('/calls?direction=internal')).body.calls

const statusOf = async (company: TestCompany, { id }: Employee) =>
  (await company.api.get(`/employees/${id}`)).body.status

const isAvailable = (company: TestCompany, employee: Employee) =>
  eventually(async () => expect(await statusOf(company, employee)).toBe('available'))

/** Anna has called Bob, and they talk. */
async function conversation() {
  const scene = await office()
  const { company, anna, bob, extensionOf } = scene
  const annasPhone = await anna.dial(extensionOf(bob))
  const bobsPhone = await bob.rings()
  await bobsPhone.answer()
  await annasPhone.answered()
  await Promise.all([annasPhone.hears(800), bobsPhone.hears(700)])
  await eventually(async () => expect(await internalCalls(company)).toMatchObject([{ state: 'answered' }]))
  return { ...scene, annasPhone, bobsPhone }
}

test('an employee who dials a coworker’s extension talks to them, without a carrier or a business number', async () => {
  const { company, anna, bob, annasPhone, bobsPhone, extensionOf } = await conversation()
  expect(bobsPhone.call.from).toMatchObject({
    name: 'Anna',
    uri: { user: extensionOf(anna), host: expect.any(String) },
  })
  expect(await Promise.all([anna, bob].map((one) => statusOf(company, one)))).toEqual(['on_call', 'on_call'])
  bobsPhone.hangUp()
  await annasPhone.ended()
  await eventually(async () =>
    expect(await internalCalls(company)).toEqual([
      {
        id: expect.stringMatching(/^ica_/),
        direction: 'internal',
        from: extensionOf(anna),
        to: extensionOf(bob),
        from_employee: { id: anna.id, name: 'Anna' },
        to_employee: { id: bob.id, name: 'Bob' },
        state: 'ended',
        started_at: expect.any(String),
        answered_at: expect.any(String),
        duration: expect.any(Number),
      },
    ]),
  )
  await Promise.all([isAvailable(company, anna), isAvailable(company, bob)])
  expect(carrier.calls.waiting).toEqual([])
})

test('a redial of the callee’s phone reaches the caller', async () => {
  const { bob, anna, annasPhone, bobsPhone, company } = await conversation()
  annasPhone.hangUp()
  await bobsPhone.ended()
  await isAvailable(company, anna)
  const { user } = bobsPhone.call.from.uri as { user: string }
  await bob.dial(user)
  expect((await anna.rings()).call.from).toMatchObject({ name: 'Bob' })
})

/** What every route answers that needs no id: all lists and counts, of the contract and beyond. */
async function readEverything({ api }: TestCompany, extension: string) {
  const paths = [
    ...new Set(
      declaredRoutes()
        .filter(({ method, path }) => method === 'GET' && !path.includes(':'))
        .map(({ path }) => path),
    ),
    '/calls?direction=inbound',
    '/calls?direction=outbound',
    ...['initiated', 'answered', 'ended'].map((state) => `/calls?state=${state}`),
    `/calls?query=${extension}`,
    `/calls?phone_number=${extension}`,
    `/inbox?query=${extension}`,
  ]
  return Object.fromEntries(
    await Promise.all(
      paths.map(async (path) => {
        const { status, body } = await api.get(path)
        return [path, { status, body }] as const
      }),
    ),
  )
}

test('an internal call appears in no list, count or event, unless it is asked for', async () => {
  const { company, anna, bob, extensionOf } = await office()
  const told = await followCallEvents(bellhop, company)
  const everything = () => readEverything(company, extensionOf(bob))
  const before = await everything()
  expect(Object.keys(before).length).toBeGreaterThan(15)
  const callPaths = Object.keys(before).filter((path) => /^\/calls(\?|$)/.test(path))
  for (const path of callPaths) expect(before[path]).toEqual({ status: 200, body: { calls: [] } })
  expect(before).toMatchObject({ '/inbox': { status: 200 }, '/activity/unseen': { status: 200 } })

  const annasPhone = await anna.dial(extensionOf(bob))
  const bobsPhone = await bob.rings()
  const isLeftOut = async () => {
    const { '/calls/live': board, ...now } = await everything()
    expect(board).toMatchObject({ status: 200, body: { calls: [] } })
    expect(JSON.stringify(now)).not.toContain('ica_')
    // The others show who is on a call, or what they have shown to whom; the live board shows who talks to whom.
    for (const path of callPaths) expect(now[path]).toEqual(before[path])
    for (const employee of [anna, bob]) expect((await employee.api.get('/calls/active')).status).toBe(204)
  }
  await isLeftOut()
  await bobsPhone.answer()
  await annasPhone.answered()
  await eventually(async () => expect(await internalCalls(company)).toMatchObject([{ state: 'answered' }]))
  await isLeftOut()
  annasPhone.hangUp()
  await bobsPhone.ended()
  await eventually(async () => expect(await internalCalls(company)).toMatchObject([{ state: 'ended' }]))
  await isLeftOut()
  expect(await everything()).toEqual(before)

  const [{ id }] = await internalCalls(company)
  expect((await company.api.get(`/calls/${id}`)).status).toBe(404)
  for (const more of ['query=anna', 'phone_number=100', `after=${id}`, 'state=answered'])
    expect((await company.api.get(`/calls?direction=internal&${more}`)).body).toEqual({ calls: [] })
  const other = await bellhop.newCompany()
  expect(await internalCalls(other)).toEqual([])
  expect(await told()).toEqual([])
})

test('an employee in an internal call is not offered a queued caller until it is over', async () => {
  const { company, anna, bob, annasPhone, bobsPhone } = await conversation()
  const { number } = await numberWith(bellhop, company, {
    type: 'TransferConfig',
    employee_ids: [anna.id, bob.id],
  })
  const customer = await dial(number)
  await customer.connected()
  await callIs(company, 'queued')
  expect([anna.unanswered(), bob.unanswered()]).toEqual([0, 0])
  annasPhone.hangUp()
  await bobsPhone.ended()
  await (await bob.rings()).answer()
  await customer.hears(800)
})

test('a coworker who rings is not offered a queued caller, and one who does not answer is rung no longer', async () => {
  const { company, anna, bob, extensionOf } = await office()
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [bob.id] })
  const phone = await anna.dial(extensionOf(bob))
  const bobsPhone = await bob.rings()
  expect(await statusOf(company, bob)).toBe('ringing')
  const customer = await dial(number)
  await customer.connected()
  await callIs(company, 'queued')
  expect(bob.unanswered()).toBe(0)
  bellhop.clock.advance(30_000)
  expect(await phone.ended()).toMatchObject({ why: 'refused', status: 480 })
  await bobsPhone.ended()
  await eventually(async () =>
    expect(await internalCalls(company)).toMatchObject([{ state: 'ended', answered_at: null, duration: 0 }]),
  )
  await (await bob.rings()).answer()
  await customer.hears(800)
})

test('a coworker who declines, is on a call, does not want to be disturbed or is away is refused with the reason', async () => {
  const { company, anna, bob, extensionOf } = await office()
  const eve = await hire(company, 'Eve', 900)
  const eves = (await extensionsOf(company))(eve)
  const refused = async (extension: string) => (await anna.dial(extension)).ended()

  const declined = await anna.dial(extensionOf(bob))
  ;(await bob.rings()).decline()
  expect(await declined.ended()).toMatchObject({ status: 486 })
  await isAvailable(company, bob)

  const talking = await bob.dial(eves)
  const evesPhone = await eve.rings()
  expect(await refused(eves)).toMatchObject({ status: 486 })
  await evesPhone.answer()
  await talking.answered()
  expect(await refused(eves)).toMatchObject({ status: 486 })
  expect(await refused(extensionOf(bob))).toMatchObject({ status: 486 })
  talking.hangUp()
  await Promise.all([isAvailable(company, bob), isAvailable(company, eve)])

  await company.api.put(`/employees/${eve.id}/do_not_disturb`, { enabled: true })
  expect(await refused(eves)).toMatchObject({ status: 480 })
  bob.leave()
  await eventually(async () => expect(await statusOf(company, bob)).toBe('logged_out'))
  expect(await refused(extensionOf(bob))).toMatchObject({ status: 480 })
  expect(await refused(extensionOf(anna))).toMatchObject({ status: 486 })
  expect(eve.unanswered()).toBe(0)
})

test('a coworker who switches on do not disturb, or is deleted, is rung no longer', async () => {
  const { company, anna, bob, extensionOf } = await office()
  const phone = await anna.dial(extensionOf(bob))
  const bobsPhone = await bob.rings()
  await company.api.put(`/employees/${bob.id}/do_not_disturb`, { enabled: true })
  expect(await phone.ended()).toMatchObject({ status: 480 })
  await bobsPhone.ended()
  await company.api.put(`/employees/${bob.id}/do_not_disturb`, { enabled: false })
  await isAvailable(company, bob)

  const again = await anna.dial(extensionOf(bob))
  const ringing = await bob.rings()
  expect((await company.api.delete(`/employees/${bob.id}`)).status).toBe(204)
  await Promise.all([again.ended(), ringing.ended()])
  await isAvailable(company, anna)
})

test('a caller who hangs up while it rings ends the ringing', async () => {
  const { company, anna, bob, extensionOf } = await office()
  const phone = await anna.dial(extensionOf(bob))
  const bobsPhone = await bob.rings()
  phone.hangUp()
  await bobsPhone.ended()
  await Promise.all([isAvailable(company, anna), isAvailable(company, bob)])
  await expectNoLiveRows(bellhop)
})

test('a coworker on hold hears music, whoever holds', async () => {
  const { annasPhone, bobsPhone } = await conversation()
  const hearsMusic = (phone: typeof annasPhone | typeof bobsPhone) => {
    const from = phone.heard.length
    return phone.until('music', () => {
      const sound = phone.last(400, from)
      return sound && loudness(sound) > 300 && [700, 800].every((hz) => toneShare(sound, hz) < 0.3)
    })
  }
  const talk = () => Promise.all([annasPhone.hears(800), bobsPhone.hears(700)])
  await bobsPhone.hold()
  await hearsMusic(annasPhone)
  await bobsPhone.resume()
  await talk()
  await annasPhone.call.reinvite(sdpBody(annasPhone.sdp('sendonly')))
  await hearsMusic(bobsPhone)
  await annasPhone.call.reinvite(sdpBody(annasPhone.sdp('sendrecv')))
  await talk()
})

test('a phone that rejoins, as after a page reload, goes on talking to the coworker', async () => {
  const { company, anna, bob, annasPhone, bobsPhone } = await conversation()
  const [{ id }] = await internalCalls(company)
  const eve = await hire(company, 'Eve', 900)
  const rejoin = { 'x-bellhop-call': id as string }
  expect(await (await eve.dial('rejoin', rejoin)).ended()).toMatchObject({ status: 404 })
  const annasNext = await anna.dial('rejoin', rejoin)
  await annasNext.answered()
  await annasPhone.ended()
  await Promise.all([annasNext.hears(800), bobsPhone.hears(700)])
  const bobsNext = await bob.dial('rejoin', rejoin)
  await bobsNext.answered()
  await Promise.all([annasNext.hears(800), bobsNext.hears(700)])
  bobsNext.hangUp()
  await annasNext.ended()
  await expectNoLiveRows(bellhop)
})

test('an employee cannot place more internal calls in a minute than outbound ones', async () => {
  const { company, anna, bob, extensionOf } = await office()
  await bellhop.db.sql`
    insert into internal_calls (
      company_id, edge_id, from_employee_id, from_extension, to_employee_id, to_extension, started_at, state
    )
    select ${company.companyId}, new_id(), ${anna.uuid}, '1', ${bob.uuid}, '2', ${bellhop.clock.now()}, 'ended'
    from generate_series(1, 1000)`
  expect(await (await anna.dial(extensionOf(bob))).ended()).toMatchObject({ status: 503 })
})

test('an extension goes before a code of the carrier, but never before an emergency or short number', async () => {
  const { company, anna, bob } = await office()
  await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  await bellhop.db.tx((tx) => setExtension(tx, bob.uuid, '555'))
  const inside = await anna.dial('555')
  await bob.rings()
  inside.hangUp()
  await isAvailable(company, anna)
  const outside = await anna.dial('*1*555')
  expect((await callee()).call.uri).toMatchObject({ user: '555' })
  outside.hangUp()
  // Stored by other means than Bellhop's own.
  await bellhop.db.sql`update extensions set extension = '112' where employee_id = ${bob.uuid}`
  const help = await anna.dial('112')
  expect((await callee()).call.uri).toMatchObject({ user: '112' })
  help.hangUp()
  expect(bob.unanswered()).toBe(0)
})

test('another company’s extension reaches nobody there', async () => {
  const { anna, extensionOf } = await office()
  const other = await office()
  await bellhop.db.tx((tx) => setExtension(tx, other.bob.uuid, '777'))
  const phone = await anna.dial('777')
  expect(await phone.ended()).toMatchObject({ why: 'refused' })
  expect(other.bob.unanswered()).toBe(0)
  expect(extensionOf(anna)).toMatch(/^1\d\d$/)
})

test('a phone transfers a customer to a coworker’s extension', async () => {
  const { company, anna, bob, extensionOf } = await office()
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const customer = await dial(number)
  await customer.connected()
  const phone = await anna.rings()
  await phone.answer()
  await customer.hears(700)
  await callIs(company, 'bridged')
  const target = `sip:${extensionOf(bob)}@127.0.0.1:${edge.port}`
  expect(await phone.call.refer({ target }, () => {})).toBe(202)
  const bobsPhone = await bob.rings()
  await bobsPhone.answer()
  await customer.hears(800)
})
