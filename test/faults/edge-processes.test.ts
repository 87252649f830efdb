import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test, vi } from 'vitest'

import { callIs, listenTo, soon } from '../harness/call-watch.ts'
import { startEdgeProcess } from '../harness/edge-process.ts'
import { channelsOf, moment, toneShareInParts } from '../harness/hearing.ts'
import { nothingIsLeft } from '../harness/nothing-left.ts'
import { CUSTOMER, numberWith, openOffice } from '../harness/office.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

const BELLHOP_SECRET = 'a secret of all processes of the test'
const office = await openOffice({ BELLHOP_SECRET, BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' })
const { bellhop, dial } = office
const { sql } = bellhop.db

/** On the data folder of the office, as two edges of one machine are. */
async function newEdge(environment: Record<string, string> = {}) {
  const edge = await startEdgeProcess(bellhop.db.address, {
    BELLHOP_SECRET,
    BELLHOP_DATA_DIR: bellhop.dataDir,
    SIP_TRUNKS: JSON.stringify([office.trunk]),
    ...environment,
  })
  office.connectCarrier('process', edge.port)
  return edge
}

/** Anna has her phone at the edge, and talks there with somebody who called. */
async function talking(port: number, more: Record<string, unknown> = {}) {
  const company = await bellhop.newCompany()
  const hire = office.hireAt(port)
  const anna = await hire(company, 'Anna', 700)
  const flow = { type: 'TransferConfig', employee_ids: [anna.id] }
  const { number } = await numberWith(bellhop, company, flow, more)
  const told = await listenTo(bellhop, company)
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

/** So much sound is on the disk. */
function hasSpooled(kind: string, bytes: number): Promise<void> {
  return vi.waitFor(async () => {
    const names = await readdir(spool, { recursive: true })
    const name = names.find((each) => each.includes(`/${kind}-`))
    expect((await stat(join(spool, name!))).size).toBeGreaterThan(bytes)
  }, PATIENCE)
}

const fileAt = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer())
const edges = async () => (await sql`select sip_port from edges`).map((edge) => edge.sip_port)

test('an edge that is told to stop takes no new call, and lets the running one end before it leaves', async () => {
  const edge = await newEdge()
  const { company, hire, customer, phone, events, number } = await talking(edge.port)
  const bob = await hire(company, 'Bob', 800)
  const flow = { type: 'TransferConfig', employee_ids: [bob.id] }
  const { number: bobs } = await numberWith(bellhop, company, flow)
  edge.signal('SIGTERM')
  await soon(async () => expect((await fetch(`${edge.url}/readyz`)).status).toBe(503))

  const refused = await dial(number, { over: 'process' })
  expect(await refused.ended()).toMatchObject({ why: 'refused', status: 503 })
  // Its phones are still there: another edge rings them.
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
  expect(await edges()).toEqual([office.edge.port])
  expect(await sql`select device_id from device_registrations`).toEqual([])
  await nothingIsLeft(bellhop)
  expect((await events()).toSorted()).toEqual([...ANSWERED, ...ANSWERED].toSorted())
})

test('an edge waits for its calls only so long: then they end, are written down, and it leaves', async () => {
  const edge = await newEdge({ EDGE_DRAIN_SECONDS: '1' })
  const { company, customer, phone } = await talking(edge.port, { recording_enabled: true })
  edge.signal('SIGTERM')
  await Promise.all([customer.ended(), phone.ended()])
  expect(await edge.ended).toBe(0)
  expect(await edges()).toEqual([office.edge.port])
  const { recording_url } = await callIs(company, 'ended')
  expect((await fetch(recording_url)).status).toBe(200)
  await nothingIsLeft(bellhop)
})

test('what an edge had recorded when it was killed is kept by the next one on its folder, once', async () => {
  await office.edge.stop()
  const edge = await newEdge()
  const { company, events, id } = await talking(edge.port, { recording_enabled: true })
  const other = await bellhop.newCompany()
  const { number } = await numberWith(bellhop, other, { type: 'VoicemailConfig', greeting: 'Hello.' })
  await bellhop.drainJobs()
  const told = await listenTo(bellhop, other)
  const customer = await dial(number, { over: 'process' })
  await customer.connected()
  await callIs(other, 'recording')
  await Promise.all([hasSpooled('voicemail', 1.5 * 16_000), hasSpooled('recording', 1.5 * 32_000)])
  edge.signal('SIGKILL')
  await edge.ended
  const next = await newEdge()
  await vi.waitFor(async () => expect(await spoolFolders()).toHaveLength(1), PATIENCE)

  const { recording_url } = (await company.api.get(`/calls/${id}`)).body
  const [left, right] = channelsOf(await fileAt(recording_url))
  expect(moment(left!, 440, right!, 700)).toBeGreaterThanOrEqual(0)
  expect(await events()).toEqual(ANSWERED)
  const { voicemails } = (await other.api.get('/voicemails')).body
  expect(voicemails).toMatchObject([{ from: CUSTOMER }])
  const [sound] = channelsOf(await fileAt(voicemails[0].recording_url))
  expect(toneShareInParts(sound!.subarray(-4_000), 440)).toBeGreaterThan(0.9)
  const heard = (await told()).map(({ event }) => event)
  expect(heard.toSorted()).toEqual(['call.ended', 'call.initiated', 'call.lost', 'voicemail.new'])
  const orders = await sql`
    select kind from transcript_orders
    where company_id in (${company.companyId}, ${other.companyId}) order by kind`
  expect(orders).toEqual([{ kind: 'call' }, { kind: 'voicemail' }])
  await nothingIsLeft(bellhop)
  next.signal('SIGTERM')
  expect(await next.ended).toBe(0)
  expect(await spoolFolders()).toEqual([])
})
