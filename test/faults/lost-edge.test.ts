import { readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { beforeAll, expect, test } from 'vitest'

import { decodeId } from '../../server/platform/ids.ts'
import { callIs, eventually, followCallEvents, lastCall } from '../harness/calls/call-events.ts'
import { type Employee, numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import type { TestCompany } from '../harness/index.ts'
import type { Service } from '../harness/processes/bellhop-process.ts'
import { freeze, startEdgeProcess } from '../harness/processes/edge-process.ts'
import { expectNoLiveRows } from '../harness/processes/no-live-rows.ts'
import { passTimeUntil } from '../harness/test-clock.ts'

const BELLHOP_SECRET = 'a secret of all processes of the test'
const phoneSystem = await openPhoneSystem({ BELLHOP_SECRET, BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' })
const { bellhop, dial, hire } = phoneSystem

let edge: Service & { port: number }
beforeAll(async () => {
  const SIP_TRUNKS = JSON.stringify([phoneSystem.trunk])
  // On the data folder of the phone system, whose edge finds what this one leaves there.
  const shared = { BELLHOP_SECRET, SIP_TRUNKS, BELLHOP_DATA_DIR: bellhop.dataDir }
  edge = await startEdgeProcess(bellhop.db.address, shared)
  phoneSystem.connectCarrier('other', edge.port)
})

const statusOf = async (company: TestCompany, { id }: { id: string }) =>
  (await company.api.get(`/employees/${id}`)).body.status

/** Anna and Bob have phones at the process, and Anna is called through it. */
async function callAnna() {
  const company = await bellhop.newCompany()
  const hireThere = phoneSystem.hireAt(edge.port)
  const anna = await hireThere(company, 'Anna', 700)
  const bob = await hireThere(company, 'Bob', 800)
  const flow = { type: 'TransferConfig', employee_ids: [anna.id] }
  const { number, id: numberId } = await numberWith(bellhop, company, flow)
  const told = await followCallEvents(bellhop, company)
  return { company, anna, bob, number, numberId, told, call: () => dial(number, { over: 'other' }) }
}

type Scene = Awaited<ReturnType<typeof callAnna>>

const spool = join(bellhop.dataDir, 'spool')

/** A caller leaves a voicemail at the process. */
async function leavingVoicemail() {
  const company = await bellhop.newCompany()
  const { number } = await numberWith(bellhop, company, { type: 'VoicemailConfig', greeting: 'Hello.' })
  await bellhop.drainJobs()
  const told = await followCallEvents(bellhop, company)
  const customer = await dial(number, { over: 'other' })
  await customer.connected()
  const { id } = await callIs(company, 'recording')
  const uuid = decodeId('cal', id)!
  const file = await eventually(async () => {
    const names = await readdir(spool, { recursive: true })
    const path = join(
      spool,
      names.find((name) => name.includes(uuid))!,
    )
    expect((await stat(path)).size).toBeGreaterThan(4 * 16_000)
    return path
  })
  return {
    company,
    customer,
    folder: dirname(file),
    /** There is a voicemail, and the call is not published as lost. */
    async isKept() {
      await eventually(async () => {
        expect((await company.api.get('/voicemails')).body.voicemails).toHaveLength(1)
      })
      const events = (await told()).map(({ event }) => event)
      expect(events).toEqual(['call.initiated', 'call.ended', 'voicemail.new'])
    },
  }
}

async function ringing(scene: Scene) {
  const customer = await scene.call()
  await customer.connected()
  const phone = await scene.anna.rings()
  await callIs(scene.company, 'queued')
  return { customer, phone }
}

async function talking(scene: Scene) {
  const { customer, phone } = await ringing(scene)
  await phone.answer()
  await Promise.all([customer.hears(700), phone.hears(440)])
  const { id } = await callIs(scene.company, 'bridged')
  return { customer, phone, path: `/calls/${id}/transfers` }
}

/** As if the machine had another name by now, like a recreated container, and some time had passed. */
async function becomesElsewheres(folder: string) {
  await writeFile(join(folder, 'holder'), 'elsewhere 1\n')
  const anHourAgo = new Date(Date.now() - 60 * 60_000)
  for (const name of await readdir(folder)) await utimes(join(folder, name), anHourAgo, anHourAgo)
}

const beginTransfer = ({ anna, bob }: { anna: Employee; bob: Employee }, path: string) =>
  anna.api.post(path, { employee_id: bob.id })

test('an edge that hangs is unreachable: the transfer is withdrawn, and when the edge continues so does the call', async () => {
  const scene = await callAnna()
  const { company, anna, bob } = scene
  const { customer, phone, path } = await talking(scene)
  const goOn = freeze(edge)
  const asked = beginTransfer(scene, path)
  await eventually(async () => expect(await statusOf(company, bob)).toBe('ringing'))
  expect(await passTimeUntil(bellhop.clock, asked)).toMatchObject({
    status: 502,
    body: { error: 'esl_unreachable' },
  })
  expect(await statusOf(company, bob)).toBe('available')
  expect((await anna.api.get('/calls/active')).body.transfer).toBeNull()
  goOn()
  await Promise.all([customer.hears(700), phone.hears(440)])
  expect((await beginTransfer(scene, path)).status).toBe(201)
  await (await bob.rings()).answer()
  await phone.hears(800)
  customer.hangUp()
  await expectNoLiveRows(bellhop)
  const states = await bellhop.db.sql`select state from transfers order by id`
  expect(states.map(({ state }) => state)).toEqual(['failed', 'failed'])
})

test('an edge that was reaped and returns leaves no request waiting, and takes calls again', async () => {
  const scene = await callAnna()
  const { customer, phone } = await ringing(scene)
  const left = await leavingVoicemail()
  const goOn = freeze(edge)
  expect(await callIs(scene.company, 'ended')).toMatchObject({ answered_at: null })
  await callIs(left.company, 'ended')
  goOn()
  await Promise.all([customer.ended(), phone.ended()])
  left.customer.hangUp()
  await left.isKept()
  await eventually(async () => expect(await statusOf(scene.company, scene.anna)).toBe('available'))
  const { customer: next } = await talking(scene)
  next.hangUp()
  await expectNoLiveRows(bellhop)
  const events = (await scene.told()).map(({ event }) => event)
  expect(events.filter((event) => event === 'call.ended')).toHaveLength(2)
})

test('the calls of a killed edge end once, in whatever state they are; its employees work at another edge', async () => {
  const scenes = {
    queued: await callAnna(),
    ringing: await callAnna(),
    bridged: await callAnna(),
    consulting: await callAnna(),
  }
  scenes.queued.anna.leave()
  await eventually(async () =>
    expect(await statusOf(scenes.queued.company, scenes.queued.anna)).toBe('logged_out'),
  )
  await (await scenes.queued.call()).connected()
  await callIs(scenes.queued.company, 'queued')
  await ringing(scenes.ringing)
  await talking(scenes.bridged)
  const { phone, path } = await talking(scenes.consulting)
  expect((await beginTransfer(scenes.consulting, path)).status).toBe(201)
  await (await scenes.consulting.bob.rings()).answer()
  await phone.hears(800)
  const left = await leavingVoicemail()

  edge.signal('SIGKILL')
  await edge.ended
  await becomesElsewheres(left.folder)
  // Still listed, and gone: nobody claims its commands.
  const asked = scenes.bridged.anna.api.post(
    `/calls/${(await lastCall(scenes.bridged.company)).id}/transfers`,
    { employee_id: scenes.bridged.bob.id },
  )
  await eventually(async () =>
    expect(await statusOf(scenes.bridged.company, scenes.bridged.bob)).toBe('ringing'),
  )
  expect(await passTimeUntil(bellhop.clock, asked)).toMatchObject({
    status: 502,
    body: { error: 'esl_unreachable' },
  })

  await expectNoLiveRows(bellhop)
  for (const { company, anna, bob, told } of Object.values(scenes)) {
    expect(await callIs(company, 'ended')).toMatchObject({ state: 'ended' })
    expect(await statusOf(company, anna)).toBe('logged_out')
    expect(await statusOf(company, bob)).toBe('logged_out')
    const events = (await told()).map(({ event }) => event)
    expect(events.filter((event) => event === 'call.ended')).toHaveLength(1)
  }
  const reasons = await bellhop.db.sql`
    select distinct end_reason from calls
    where company_id = any(${Object.values(scenes).map(({ company }) => company.companyId)}::uuid[])`
  expect(reasons).toEqual([{ end_reason: 'edge_lost' }])
  const open = await bellhop.db.sql`
    select state from transfers where company_id = ${scenes.consulting.company.companyId}`
  expect(open).toEqual([{ state: 'failed' }])

  await left.isKept()
  const { company, number, numberId } = scenes.bridged
  const carol = await hire(company, 'Carol', 900)
  const flow = { type: 'TransferConfig', employee_ids: [carol.id] }
  await company.api.put(`/business_numbers/${numberId}/incoming_call_config`, flow)
  const customer = await dial(number)
  await customer.connected()
  const carolsPhone = await carol.rings()
  await carolsPhone.answer()
  await Promise.all([customer.hears(900), carolsPhone.hears(440)])
  customer.hangUp()
  await expectNoLiveRows(bellhop)
})
