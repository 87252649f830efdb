import { once } from 'node:events'

import { beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'

import { newNumber } from '../../../test/harness/calls/telephony.ts'
import { type Harness, harness, type TestCompany } from '../../../test/harness/index.ts'
import { type ContextServer, contextServer } from '../../../test/harness/peers/context-server.ts'
import { readConfig } from '../../config.ts'
import { followCompany, listenLive } from '../../live.ts'
import type { Tx } from '../../platform/db/database.ts'
import { openPubSub } from '../../platform/db/pubsub.ts'
import { encodeId } from '../../platform/ids.ts'
import { enqueue, handleJob, jobKind } from '../../platform/jobs/job.ts'
import { startWorker } from '../../platform/jobs/worker.ts'
import { createLog } from '../../platform/log.ts'
import { wireJobs } from '../../roles/jobs.ts'
import { startInboundCall } from '../calls/index.ts'
import { newEdgeId } from '../edges/index.ts'

let bellhop: Harness
let company: TestCompany
let crm: ContextServer

const SETTINGS = { BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' }

beforeAll(async () => {
  bellhop = await harness(SETTINGS)
})

beforeEach(async () => {
  company = await bellhop.newCompany()
  crm = await contextServer(() => ({
    contact: { name: 'Mikkel', note: 'Red bike' },
    sections: [
      { type: 'fields', fields: [{ label: 'Plan', value: 'Gold' }] },
      {
        type: 'table',
        label: 'Orders',
        columns: [{ key: 'total', label: 'Total', format: 'money' }],
        rows: [{ values: { total: { amount: '12.50', currency: 'DKK' } } }],
      },
    ],
  }))
  await company.api.post('/integrations', { provider: 'custom', url: crm.url })
})

const PHONE = '+4520112233'

/** As an edge does for an inbound call. */
async function callIn(
  phone = PHONE,
  store: (tx: Tx, call: Parameters<typeof startInboundCall>[1]) => Promise<string> = startInboundCall,
): Promise<string> {
  const { companyId } = company
  const numberId = await newNumber(company, { mute: true })
  const edgeId = await newEdgeId(bellhop.db.sql)
  const call = { companyId, numberId, edgeId, remoteNumber: phone, startedAt: bellhop.clock.now() }
  return bellhop.db.tx((tx) => store(tx, call))
}

const savedWith = async (callId: string) =>
  (await company.api.get(`/calls/${encodeId('cal', callId)}/context`)).body

async function waitingLookUps(): Promise<number> {
  const { sql } = bellhop.db
  return (await sql`select from company_jobs where kind = 'context.look_up_caller'`).length
}

test('an inbound call is looked up automatically, and the result is stored with it', async () => {
  const callId = await callIn()
  expect(await waitingLookUps()).toBe(1)
  expect(await savedWith(callId)).toEqual({ contexts: [], enriched_at: null, contact: null })
  await bellhop.drainJobs()
  const saved = await savedWith(callId)
  expect(saved).toMatchObject({
    contexts: [{ provider: 'custom', contact: { name: 'Mikkel' } }],
    contact: { name: 'Mikkel', phone: PHONE },
  })

  // The employee who answers gets it at once, without another request to the system.
  const answer = await company.api.get(`/caller_context?phone=${encodeURIComponent(PHONE)}`)
  expect(answer.body).toEqual(saved)
  expect(crm.asked).toHaveLength(1)
})

test('what was known when the call came in stays with the call', async () => {
  const callId = await callIn()
  await bellhop.drainJobs()
  const saved = await savedWith(callId)
  crm.answer = () => ({ contact: { name: 'Somebody else' } })
  bellhop.clock.advance(60_000)
  await callIn()
  await bellhop.drainJobs()
  expect((await savedWith(callId)).contexts).toEqual(saved.contexts)
})

test('its words are stored for the search of calls', async () => {
  const callId = await callIn()
  await bellhop.drainJobs()
  const [row] = await bellhop.db.sql<{ context_text: string }[]>`
    select context_text from calls where company_id = ${company.companyId} and id = ${callId}`
  expect(row!.context_text).toBe('Mikkel Red bike Gold 12.50 DKK')
})

test('a live message is published when the result is stored, and not before', async () => {
  const heard: string[] = []
  const pubsub = openPubSub(bellhop.db.address, bellhop.parts.log)
  try {
    await listenLive(pubsub, {
      onMessage: (companyId, json) => void (companyId === company.companyId && heard.push(json)),
      onGap() {},
    })
    await followCompany(pubsub, company.companyId)
    const callId = await callIn()
    crm.answer = async () => {
      heard.push('asked')
      return { contact: { name: 'Mikkel' } }
    }
    await bellhop.drainJobs()
    const update = JSON.stringify({ type: 'call_update', id: encodeId('cal', callId) })
    await expect.poll(() => heard.slice(heard.indexOf('asked'))).toEqual(['asked', update])
  } finally {
    await pubsub.close()
  }
})

test('a failed look-up stores an empty result with the call, and the job succeeds', async () => {
  crm.answer = (_, response) => void response.destroy()
  const callId = await callIn()
  await bellhop.drainJobs()
  expect(await savedWith(callId)).toEqual({ contexts: [], enriched_at: expect.any(String), contact: null })
  expect(await waitingLookUps()).toBe(0)
})

test('a caller who withholds the number is not looked up', async () => {
  const callId = await callIn('anonymous')
  await bellhop.drainJobs()
  expect(crm.asked).toEqual([])
  expect(await savedWith(callId)).toMatchObject({ contexts: [], enriched_at: null })
})

test('a caller is looked up at once, even while other jobs take all their slots', async () => {
  const { db, clock, dataDir, url } = bellhop
  const log = createLog({ level: 'silent' })
  const config = readConfig({ BELLHOP_DATA_DIR: dataDir, ...SETTINGS })
  const jobs = await wireJobs({ config, db, log, clock, baseUrl: url, apiUrl: url })
  const slow = jobKind('tests.slow', z.object({}))
  let begun = 0
  const released = new AbortController()
  const beSlow = handleJob(slow, async () => {
    begun++
    if (!released.signal.aborted) await once(released.signal, 'abort')
  })
  const worker = await startWorker({ address: db.address, handlers: [...jobs.handlers, beSlow], log })
  try {
    const orders = 20
    await db.tx(async (tx) => {
      for (let i = 0; i < orders; i++) await enqueue(tx, slow, {})
    })
    await expect.poll(() => begun, { timeout: 30_000 }).toBeGreaterThan(0)
    const callId = await callIn()
    await expect
      .poll(async () => (await savedWith(callId)).contexts, { timeout: 30_000 })
      .toMatchObject([{ provider: 'custom', contact: { name: 'Mikkel' } }])
    expect(begun).toBeLessThan(orders)
  } finally {
    released.abort()
    await worker.stop()
    await jobs.close()
  }
})

test('a company without integrations has no jobs queued', async () => {
  company = await bellhop.newCompany()
  await callIn()
  expect(await waitingLookUps()).toBe(0)
})

test('nothing is looked up for a call whose transaction did not commit', async () => {
  const back = new Error('rolled back')
  const attempt = callIn(PHONE, async (tx, call) => {
    await startInboundCall(tx, call)
    throw back
  })
  await expect(attempt).rejects.toBe(back)
  await bellhop.drainJobs()
  expect(crm.asked).toEqual([])
})

test('the result is deleted with the call, also if that happens during the look-up', async () => {
  const callId = await callIn()
  const gone = (id: string) =>
    bellhop.db.sql`delete from calls where company_id = ${company.companyId} and id = ${id}`
  await bellhop.drainJobs()
  await gone(callId)
  const late = await callIn()
  bellhop.clock.advance(60_000)
  const answer = crm.answer
  crm.answer = async (...args) => {
    await gone(late)
    return answer(...args)
  }
  await bellhop.drainJobs()
  expect(crm.asked).toHaveLength(2)
  expect(
    await bellhop.db.sql`select from call_contexts where company_id = ${company.companyId}`,
  ).toHaveLength(0)
})
