import { randomUUID } from 'node:crypto'

import { array, assert, asyncProperty, constantFrom, nat, record } from 'fast-check'
import { beforeAll, expect, test, vi } from 'vitest'

import { setMessaging } from '../server/modules/company/index.ts'
import { decodeId, encodeId } from '../server/platform/ids.ts'
import { createSimulatorSigner } from '../server/providers/sms/simulator/signature.ts'
import { type ApiReply, send } from './harness/api-client.ts'
import { newCall, newNumber, newVoicemail } from './harness/calls/telephony.ts'
import { type Harness, harness, type TestCompany } from './harness/index.ts'
import {
  hear,
  InboxModel,
  type ModelAttempt,
  type SentStatus,
  statusOf,
} from './harness/texts/inbox-model.ts'
import { sendText } from './harness/texts/texting.ts'

const secret = 's'.repeat(64)
/** For a busy machine. */
const PATIENCE = { timeout: 30_000 }
let bellhop: Harness

beforeAll(async () => {
  bellhop = await harness({ BELLHOP_SECRET: secret })
})

/**
 * The simulator acts by the last digits: delivered, rejected, no response, no delivery report, failed, delivered at
 * once.
 */
const PHONES = ['+4520110010', '+4520110001', '+4520110002', '+4520110003', '+4520110004', '+4520110005']
const ANSWERED: Record<string, SentStatus> = { '0001': 'failed', '0002': 'queued', '0005': 'delivered' }
const REPORTED: Record<string, 'delivered' | 'failed'> = { '0010': 'delivered', '0004': 'failed' }
const NEWS = ['accepted', 'delivered', 'failed', 'unknown'] as const

/** Sends a callback of the provider. The path is relative to the provider's. */
async function callBack(path: string, callback: object): Promise<number> {
  const body = JSON.stringify(callback)
  const headers = createSimulatorSigner({ secret, clock: bellhop.clock }).headersFor(body)
  return (await send(`${bellhop.url}/webhooks/simulator/${path}`, { method: 'POST', body, headers })).status
}

/** Sends the callback of a received text. */
function receive(to: string, from: string, id: string): Promise<number> {
  const received_at = bellhop.clock.now().toISOString()
  return callBack('messages', { type: 'message.received', id, from, to, text: 'Hej', received_at })
}

interface World {
  company: TestCompany
  model: InboxModel
  numbers: { id: string; number: string }[]
  receipts: { id: string; to: string; from: string }[]
  sends: { key: string; to: string; numberId: string; id: string }[]
  /** Send attempts to which the provider does not respond. */
  hanging: Promise<ApiReply>[]
  observations: { phone: string; at: string; known: Set<string> }[]
}

async function newWorld(): Promise<World> {
  const company = await bellhop.newCompany({ messaging: true })
  for (let i = 0; i < 2; i++) await newNumber(company, { mute: true })
  const numbers = await bellhop.db.sql<{ id: string; number: string }[]>`
    select id, number from business_numbers where company_id = ${company.companyId} order by id`
  return { company, model: new InboxModel(), numbers, receipts: [], sends: [], hanging: [], observations: [] }
}

const pick = <T>(list: T[], chance: number): T | undefined => list[chance % list.length]
const known = ({ model }: World) => new Set(model.items.map(({ id }) => id))

/** The id of the message in the provider's last callback. */
async function idOfReceipt({ company }: World, receipt: string): Promise<string> {
  const [row] = await bellhop.db.sql<{ id: string }[]>`
    select id from messages where company_id = ${company.companyId} and provider_message_id = ${receipt}`
  return encodeId('msg', row!.id)
}

type Step = { phone: string; number: number; chance: number }
const STEPS: Record<string, (world: World, step: Step) => Promise<void>> = {
  async textIn(world, { phone, number }) {
    const to = world.numbers[number]!
    const id = randomUUID()
    expect(await receive(to.number, phone, id)).toBe(200)
    world.receipts.push({ id, to: to.number, from: phone })
    const message = { id: await idOfReceipt(world, id), numberId: to.id }
    world.model.add({ ...message, type: 'message', phone, incoming: true })
  },

  async sameTextAgain(world, { chance }) {
    const receipt = pick(world.receipts, chance)
    if (receipt) expect(await receive(receipt.to, receipt.from, receipt.id)).toBe(200)
  },

  async send(world, { phone, number }) {
    const { id: numberId } = world.numbers[number]!
    const key = randomUUID()
    const request = () => sendText(world.company, numberId, { to: phone, idempotency_key: key })
    if (!world.model.messaging) return expect((await request()).status).toBe(404)
    const { id, attempt } = await handOver(world, phone, key, request, 201)
    world.sends.push({ key, to: phone, numberId, id })
    world.model.add({ id, numberId, type: 'message', phone, incoming: false, attempts: [attempt] })
  },

  async sameSendAgain(world, { chance }) {
    const sent = pick(world.sends, chance)
    if (!sent) return
    const input = { to: sent.to, idempotency_key: sent.key }
    const { status, body } = await sendText(world.company, sent.numberId, input)
    if (world.model.messaging) expect([status, body.id]).toEqual([200, sent.id])
  },

  async retry(world, { chance }) {
    const item = pick(
      world.model.items.filter(({ type }) => type === 'message'),
      chance,
    )
    if (!item) return
    const key = randomUUID()
    const request = () => world.company.api.post(`/messages/${item.id}/retries`, { idempotency_key: key })
    if (!world.model.messaging) return expect((await request()).status).toBe(404)
    if (statusOf(item) !== 'failed') return expect((await request()).status).toBe(409)
    item.attempts!.push((await handOver(world, item.phone, key, request, 200)).attempt)
  },

  /** Early, late, of an earlier attempt, once or twice, at either path: whatever providers do. */
  async report(world, { chance }) {
    const sent = world.model.items.filter(({ attempts }) => attempts !== undefined)
    const item = pick(sent, chance)
    const attempt = item && pick(item.attempts!, chance >> 2)
    if (!attempt) return
    const status = pick([...NEWS], chance >> 3)!
    const path = `delivery_reports${attempt.providerId && chance % 2 ? '' : `?attempt=${attempt.id}`}`
    attempt.providerId ??= `late ${attempt.id}`
    const from = world.numbers.find(({ id }) => id === item.numberId)!.number
    const at = bellhop.clock.now().toISOString()
    const report = { type: 'message.report', id: attempt.providerId, from, to: item.phone, status, at }
    for (let i = 0; i <= chance % 3; i++) {
      expect(await callBack(path, { ...report, error_code: status === 'failed' ? 7 : null })).toBe(200)
      hear(attempt, status)
    }
  },

  /** Nobody waits for the response any more: as far as the database knows, the process of the attempt has died. */
  async senderDies(world) {
    await bellhop.db.sql`
      update graphile_worker._private_jobs set run_at = now()
      where payload::text like ${`%${world.company.companyId}%`}`
    await bellhop.drainJobs()
    for (const attempt of world.model.attempts) if (attempt.status === 'queued') attempt.status = 'unknown'
  },

  reports: letReport,
  timeout: letTimePass,

  async call(world, { phone, number, chance }) {
    const { id: numberId } = world.numbers[number]!
    const direction = chance % 3 === 0 ? 'outbound' : 'inbound'
    const made = { business_number_id: numberId, remote_number: phone, direction }
    const id = encodeId('cal', await newCall(world.company, made))
    world.model.add({ id, type: 'call', phone, numberId, incoming: direction === 'inbound' })
  },

  async voicemail(world, { phone, number, chance }) {
    const calls = world.model.items.filter((item) => item.type === 'call' && item.incoming)
    const call = chance % 2 === 0 ? pick(calls, chance) : undefined
    const from_number = call?.phone ?? phone
    const business_number_id = call?.numberId ?? world.numbers[number]!.id
    const call_id = call && decodeId('cal', call.id)!
    const voicemail = { from_number, business_number_id, ...(call_id !== undefined && { call_id }) }
    const id = encodeId('voi', await newVoicemail(world.company, voicemail))
    const item = { id, phone: from_number, numberId: business_number_id, incoming: true }
    world.model.add({ ...item, type: 'voicemail', ...(call && { callId: call.id }) })
  },

  async deleteVoicemail(world, { chance }) {
    const item = pick(
      world.model.items.filter(({ type }) => type === 'voicemail'),
      chance,
    )
    if (!item) return
    expect((await world.company.api.delete(`/voicemails/${item.id}`)).status).toBe(204)
    world.model.remove(item.id)
  },

  /** A process that dies before it commits leaves nothing behind. */
  async rollBack({ company, numbers }, { phone, number }) {
    const died = new Error('died')
    const writing = bellhop.db.tx(async (tx) => {
      await tx`
        insert into calls (company_id, business_number_id, direction, remote_number, state)
        values (${company.companyId}, ${numbers[number]!.id}, 'inbound', ${phone}, 'initiated')`
      throw died
    })
    await expect(writing).rejects.toBe(died)
  },

  async look(world, { phone }) {
    const { body } = await world.company.api.get(`/inbox/${phone}/activity?limit=1`)
    world.observations.push({ phone, at: body.observed_at, known: known(world) })
  },

  async seen(world, { chance, number }) {
    const looked = pick(world.observations, chance)
    if (!looked) return
    const numberId = chance % 3 === 0 ? world.numbers[number]!.id : undefined
    const body = {
      through: looked.at,
      ...(numberId !== undefined && { business_number_id: encodeId('num', numberId) }),
    }
    expect((await world.company.api.post(`/inbox/${looked.phone}/seen`, body)).status).toBe(204)
    world.model.markSeen(looked.known, { phone: looked.phone, numberId, texts: true })
  },

  async callsSeen(world, { phone, chance }) {
    const which = chance % 2 === 0 ? { phone } : {}
    const body = which.phone === undefined ? {} : { phone_number: which.phone }
    expect((await world.company.api.post('/calls/seen', body)).status).toBe(204)
    world.model.markSeen(known(world), { ...which, texts: false })
  },

  async switchMessaging({ company, model }) {
    model.messaging = !model.messaging
    await bellhop.db.tx((tx) => setMessaging(tx, company.companyId, model.messaging))
  },
}

/** Sends, for the first time or again, and finds the attempt. */
async function handOver(
  world: World,
  phone: string,
  key: string,
  request: () => Promise<ApiReply>,
  success: number,
): Promise<{ id: string; attempt: ModelAttempt }> {
  const digits = phone.slice(-4)
  const hanging = digits === '0002'
  const answer = request()
  if (hanging) world.hanging.push(answer)
  else expect((await answer).status).toBe(digits === '0001' ? 422 : success)
  const { companyId } = world.company
  const row = await vi.waitFor(async () => {
    const [found] = await bellhop.db.sql<{ id: string; message_id: string; provider_id: string | null }[]>`
      select id, message_id, provider_message_id as provider_id from message_attempts
      where company_id = ${companyId} and idempotency_key = ${key}`
    expect(found).toBeDefined()
    return found!
  }, PATIENCE)
  const status = ANSWERED[digits] ?? 'accepted'
  const attempt = { id: row.id, status, hanging, ...(row.provider_id && { providerId: row.provider_id }) }
  return { id: encodeId('msg', row.message_id), attempt }
}

/** The provider sends delivery reports for the texts it accepted. */
async function letReport(world: World): Promise<void> {
  bellhop.clock.advance(1_000)
  for (const { phone, attempts = [] } of world.model.items) {
    const news = REPORTED[phone.slice(-4)]
    if (news) for (const attempt of attempts) hear(attempt, news)
  }
  await vi.waitFor(async () => expect(await statuses(world)).toEqual(modelStatuses(world)), PATIENCE)
}

/** The provider's timeout has passed. */
async function letTimePass(world: World): Promise<void> {
  await letReport(world)
  for (const answer of await endWaiting(world)) expect([200, 201, 502]).toContain(answer.status)
  for (const attempt of world.model.attempts) {
    if (attempt.hanging) hear(attempt, 'unknown')
    attempt.hanging = false
  }
}

async function endWaiting({ hanging }: World): Promise<ApiReply[]> {
  const timer = setInterval(() => bellhop.clock.advance(1_000), 20)
  return Promise.all(hanging.splice(0)).finally(() => clearInterval(timer))
}

async function statuses({ company }: World): Promise<[string, string][]> {
  const rows = await bellhop.db.sql<{ id: string; status: string }[]>`
    select id, status from messages where company_id = ${company.companyId} order by id`
  return rows.map(({ id, status }) => [encodeId('msg', id), status])
}

function modelStatuses({ model }: World): [string, string | undefined][] {
  const messages = model.items.filter(({ type }) => type === 'message')
  return messages.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((item) => [item.id, statusOf(item)])
}

/** Sends every query, for all numbers and for each. */
async function compare(world: World): Promise<void> {
  const { company, model, numbers } = world
  expect(await statuses(world)).toEqual(modelStatuses(world))
  for (const numberId of [undefined, ...numbers.map(({ id }) => id)]) {
    const filter = numberId === undefined ? '' : `&business_number_id=${encodeId('num', numberId)}`
    const { threads } = (await company.api.get(`/inbox?limit=100${filter}`)).body
    const shown = (threads as any[]).map((thread) => ({
      phone: thread.phone_number,
      unseen: thread.unseen_count,
      latest: thread.latest_item.id,
      numberIds: thread.business_number_ids.map((id: string) => decodeId('num', id)),
    }))
    expect(shown).toEqual(model.threads(numberId))
    const unseen = (await company.api.get(`/inbox?limit=100&unseen=true${filter}`)).body.threads as any[]
    const wanted = model.threads(numberId).filter((thread) => thread.unseen > 0)
    expect(unseen.map((thread) => thread.phone_number)).toEqual(wanted.map(({ phone }) => phone))
    for (const phone of PHONES) {
      const { items } = (await company.api.get(`/inbox/${phone}/activity?limit=100${filter}`)).body
      const facts = (items as any[]).map(({ id, seen_at, status }) => [id, seen_at !== null, status])
      expect(facts).toEqual(
        model.activity(phone, numberId).map((item) => [item.id, item.seen, statusOf(item)]),
      )
    }
  }
  const { main_numbers } = (await company.api.get('/activity/unseen')).body
  expect(main_numbers.map(({ unseen_count }: { unseen_count: number }) => unseen_count)).toEqual(
    numbers.map(({ id }) => model.unseenPeople(id)),
  )
}

const step = record({
  name: constantFrom(...Object.keys(STEPS)),
  phone: constantFrom(...PHONES),
  number: nat(1),
  chance: nat(1_000),
})

test('after any sequence of operations, the inbox follows its rules', async () => {
  const anything = asyncProperty(array(step, { minLength: 10, maxLength: 25 }), async (steps) => {
    const world = await newWorld()
    try {
      for (const { name, ...how } of steps) await STEPS[name]!(world, how)
      await compare(world)
      await letTimePass(world)
    } finally {
      await endWaiting(world)
    }
    await STEPS.switchMessaging!(world, steps[0]!)
    await compare(world)
    const rows = await bellhop.db
      .sql`select from message_attempts where company_id = ${world.company.companyId}`
    expect(rows).toHaveLength(world.model.attempts.length)
  })
  await assert(anything, { numRuns: 25, endOnFailure: false })
})

test('none of 32 concurrent texts to one company is lost or counted twice, and none waits for another', async () => {
  const world = await newWorld()
  const { company, numbers } = world
  const froms = Array.from({ length: 32 }, (_, i) => `+45209900${String(i + 10)}`)
  // Another number is being written to all the time, and nobody waits for that.
  const answers = await bellhop.db.tx(async (tx) => {
    await tx`
      insert into calls (company_id, business_number_id, direction, remote_number, state)
      values (${company.companyId}, ${numbers[0]!.id}, 'inbound', '+4520990099', 'initiated')`
    return Promise.all(froms.map((from) => receive(numbers[0]!.number, from, randomUUID())))
  })
  expect(answers).toEqual(froms.map(() => 200))
  const { body } = await company.api.get('/inbox?limit=100')
  expect(body.threads.map((thread: any) => thread.phone_number).toSorted()).toEqual([...froms, '+4520990099'])
  expect(body.threads.every((thread: any) => thread.unseen_count === 1)).toBe(true)
  expect((await company.api.get('/activity/unseen')).body.total).toBe(33)
})

test('each of 32 concurrent texts from one customer is counted, with its own time', async () => {
  const { company, numbers } = await newWorld()
  const ids = Array.from({ length: 32 }, () => randomUUID())
  await Promise.all(ids.map((id) => receive(numbers[0]!.number, PHONES[0]!, id)))
  expect((await company.api.get('/inbox')).body.threads).toMatchObject([{ unseen_count: 32 }])
  const [row] = await bellhop.db.sql`
    select count(distinct arrived_at)::int as times from inbox_items where company_id = ${company.companyId}`
  expect(row!.times).toBe(32)
})
