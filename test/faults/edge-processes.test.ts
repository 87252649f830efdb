import { readdir, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test, vi } from 'vitest'

import { decodeId } from '../../server/platform/ids.ts'
import { callIs, eventually, followCallEvents } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { startEdgeProcess } from '../harness/processes/edge-process.ts'
import { expectNoLiveRows } from '../harness/processes/no-live-rows.ts'
import { channelsOf, findTone, findTonePair, toneShareInParts } from '../harness/sound/audio-analysis.ts'
import { passTimeUntil } from '../harness/test-clock.ts'

const BELLHOP_SECRET = 'a secret of all processes of the test'
const phoneSystem = await openPhoneSystem({ BELLHOP_SECRET, BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' })
const { bellhop, dial } = phoneSystem
const { sql } = bellhop.db

/** On the data folder of the phone system, as two edges of one machine are. */
async function newEdge(environment: Record<string, string> = {}) {
  const edge = await startEdgeProcess(bellhop.db.address, {
    BELLHOP_SECRET,
    BELLHOP_DATA_DIR: bellhop.dataDir,
    SIP_TRUNKS: JSON.stringify([phoneSystem.trunk]),
    ...environment,
  })
  phoneSystem.connectCarrier('process', edge.port)
  return edge
}

/** Anna's phone is at the edge, and she talks there with a customer who called. */
async function talking(port: number, more: Record<string, unknown> = {}) {
  const company = await bellhop.newCompany()
  const hire = phoneSystem.hireAt(port)
  const anna = await hire(company, 'Anna', 700)
  const flow = { type: 'TransferConfig', employee_ids: [anna.id] }
  const { number } = await numberWith(bellhop, company, flow, more)
  const told = await followCallEvents(bellhop, company)
  const events = async () => (await told()).map(({ event }) => event)
  const customer = await dial(number, { over: 'process' })
  await customer.connected()
  const phone = await anna.rings()
  await phone.answer()
  await Promise.all([customer.hears(700), phone.hears(440)])
  const { id } = await callIs(company, 'bridged')
  return { company, anna, hire, number, customer, phone, events, id }
}

const ANSWERED = ['call.initiated', 'call.queued', 'call.answered', 'call.ended']
const PATIENCE = { timeout: 60_000 }

const spool = join(bellhop.dataDir, 'spool')
const spoolFolders = () => readdir(spool)

/** The recordings on disk that are yet to be stored. */
const spooledSounds = async () =>
  (await readdir(spool, { recursive: true })).filter((name) => name.endsWith('.wav'))

/** How many of them have at least this size. */
function hasSpooled(kind: string, bytes: number, count: number): Promise<void> {
  return vi.waitFor(async () => {
    const names = (await spooledSounds()).filter((name) => name.includes(`/${kind}-`))
    const sizes = await Promise.all(names.map(async (name) => (await stat(join(spool, name))).size))
    expect(sizes.filter((size) => size > bytes)).toHaveLength(count)
  }, PATIENCE)
}

const fileAt = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer())
const edges = async () => (await sql`select sip_port from edges`).map((edge) => edge.sip_port)

test('an edge that is asked to stop accepts no new call, and drains its live call before it exits', async () => {
  const edge = await newEdge()
  const { company, hire, customer, phone, events, number } = await talking(edge.port)
  const bob = await hire(company, 'Bob', 800)
  const flow = { type: 'TransferConfig', employee_ids: [bob.id] }
  const { number: bobs } = await numberWith(bellhop, company, flow)
  edge.signal('SIGTERM')
  await eventually(async () => expect((await fetch(`${edge.url}/readyz`)).status).toBe(503))

  const refused = await dial(number, { over: 'process' })
  expect(await refused.ended()).toMatchObject({ why: 'refused', status: 503 })
  // Its phones are still registered: another edge rings them.
  const next = await dial(bobs)
  await next.connected()
  const bobsPhone = await bob.rings()
  await bobsPhone.answer()
  await Promise.all([next.hears(800), bobsPhone.hears(440)])
  next.hangUp()
  await bobsPhone.ended()

  await Promise.all([customer.hears(700), phone.hears(440)])
  expect(await edges()).toContain(edge.port)
  phone.hangUp()
  await customer.ended()
  expect(await edge.ended).toBe(0)
  expect(await edges()).toEqual([phoneSystem.edge.port])
  expect(await sql`select device_id from device_registrations`).toEqual([])
  await expectNoLiveRows(bellhop)
  expect((await events()).toSorted()).toEqual([...ANSWERED, ...ANSWERED].toSorted())
})

test('an edge waits for its calls for a limited time: then they end, are stored, and it exits', async () => {
  const edge = await newEdge({ EDGE_DRAIN_SECONDS: '1' })
  const { company, customer, phone } = await talking(edge.port, { recording_enabled: true })
  edge.signal('SIGTERM')
  await Promise.all([customer.ended(), phone.ended()])
  expect(await edge.ended).toBe(0)
  expect(await edges()).toEqual([phoneSystem.edge.port])
  const { recording_url } = await callIs(company, 'ended')
  expect((await fetch(recording_url)).status).toBe(200)
  await expectNoLiveRows(bellhop)
})

/** A caller who leaves a voicemail when the edge dies; the outcome differs for each. */
const CALLERS = { kept: '+4520000001', tooShort: '+4520000002', vanished: '+4520000003' }

/** The edge receives audio from all three. */
async function leaveVoicemails() {
  const company = await bellhop.newCompany()
  const { number } = await numberWith(bellhop, company, { type: 'VoicemailConfig', greeting: 'Hello.' })
  await bellhop.drainJobs()
  const told = await followCallEvents(bellhop, company)
  for (const from of Object.values(CALLERS)) await (await dial(number, { from, over: 'process' })).connected()
  const calls = async () => (await company.api.get('/calls')).body.calls as { id: string; from: string }[]
  await vi.waitFor(async () => {
    expect(await calls()).toMatchObject(Object.values(CALLERS).map(() => ({ state: 'recording' })))
  }, PATIENCE)
  await hasSpooled('voicemail', 3.5 * 16_000, 3)
  const idOf = async (from: string) => (await calls()).find((call) => call.from === from)!.id
  return {
    company,
    told: async (from: string) => {
      const id = await idOf(from)
      return (await told()).filter(({ data }) => data.id === id).map(({ event }) => event)
    },
    async fileOf(from: string) {
      const uuid = decodeId('cal', await idOf(from))!
      return join(
        spool,
        (await spooledSounds()).find((name) => name.includes(uuid))!,
      )
    },
  }
}

test('the recording of a killed edge is stored once by another edge on its folder, and its outcome is published', async () => {
  const edge = await newEdge()
  const { company, events, id } = await talking(edge.port, { recording_enabled: true })
  const left = await leaveVoicemails()
  await hasSpooled('recording', 1.5 * 32_000, 1)
  edge.signal('SIGKILL')
  await edge.ended
  await truncate(await left.fileOf(CALLERS.tooShort), 8_000)
  await rm(await left.fileOf(CALLERS.vanished))
  // The edge of the phone system runs on the same folder, and so does the next one.
  const next = await newEdge()
  await vi.waitFor(async () => {
    expect(await spoolFolders()).toHaveLength(2)
    expect(await spooledSounds()).toEqual([])
  }, PATIENCE)

  const { recording_url } = (await company.api.get(`/calls/${id}`)).body
  const [customerSide, employeeSide] = channelsOf(await fileAt(recording_url))
  expect(findTonePair(customerSide!, 440, employeeSide!, 700)).toBeGreaterThanOrEqual(0)
  expect(await events()).toEqual(ANSWERED)
  const { voicemails } = (await left.company.api.get('/voicemails')).body
  expect(voicemails).toMatchObject([{ from: CALLERS.kept }])
  const [sound] = channelsOf(await fileAt(voicemails[0].recording_url))
  expect(findTone(sound!.subarray(-8_000), 440)).toBeGreaterThanOrEqual(0)
  const orders = await sql`
    select kind from transcript_orders
    where company_id in (${company.companyId}, ${left.company.companyId}) order by kind`
  expect(orders).toEqual([{ kind: 'call' }, { kind: 'voicemail' }])

  const kept = ['call.initiated', 'call.ended', 'voicemail.new']
  const lost = ['call.initiated', 'call.ended', 'call.lost']
  expect(await left.told(CALLERS.kept)).toEqual(kept)
  expect(await left.told(CALLERS.tooShort)).toEqual(lost)
  expect(await left.told(CALLERS.vanished)).toEqual(['call.initiated', 'call.ended'])
  await sql`update graphile_worker._private_jobs set run_at = now() where run_at > now()`
  await bellhop.drainJobs()
  expect(await left.told(CALLERS.kept)).toEqual(kept)
  expect(await left.told(CALLERS.tooShort)).toEqual(lost)
  expect(await left.told(CALLERS.vanished)).toEqual(lost)
  await expectNoLiveRows(bellhop)
  next.signal('SIGTERM')
  expect(await next.ended).toBe(0)
  expect(await spoolFolders()).toHaveLength(1)
})

test('what is said while a recording is paused is not in what a killed edge leaves', async () => {
  const edge = await newEdge()
  const { company, anna, customer, phone, id } = await talking(edge.port, { recording_enabled: true })
  const path = `/calls/${id}/recording`
  await Promise.all([customer.hears(700), phone.hears(440)])
  expect((await anna.api.post(`${path}/pause`)).body).toEqual({ state: 'paused' })
  customer.say(500)
  phone.say(900)
  await Promise.all([customer.hears(900), phone.hears(500)])
  await hasSpooled('recording', 2.5 * 32_000, 1)

  // An edge that hangs is unreachable.
  edge.signal('SIGSTOP')
  const asked = anna.api.post(`${path}/resume`)
  await eventually(async () =>
    expect(await sql`select from edge_commands where taken_at is null`).toHaveLength(1),
  )
  expect(await passTimeUntil(bellhop.clock, asked)).toMatchObject({
    status: 502,
    body: { error: 'esl_unreachable' },
  })
  edge.signal('SIGKILL')
  await edge.ended
  await vi.waitFor(async () => expect(await spooledSounds()).toEqual([]), PATIENCE)
  const { recording_url } = await callIs(company, 'ended')
  const [left, right] = channelsOf(await fileAt(recording_url))
  expect(findTone(left!, 440)).toBeGreaterThanOrEqual(0)
  expect(findTone(right!, 700)).toBeGreaterThanOrEqual(0)
  expect(toneShareInParts(left!, 500)).toBeLessThan(0.02)
  expect(toneShareInParts(right!, 900)).toBeLessThan(0.02)
  expect((await anna.api.get(path)).body).toEqual({ state: 'off' })
  await expectNoLiveRows(bellhop)
})
