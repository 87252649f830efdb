import { beforeAll, expect, test } from 'vitest'

import { newCall, newNumber } from '../../../../test/harness/calls/telephony.ts'
import { type Harness, harness, type TestCompany } from '../../../../test/harness/index.ts'
import {
  type EmbeddingService,
  startEmbeddingService,
} from '../../../../test/harness/peers/embedding-service.ts'
import { readConfig } from '../../../config.ts'
import { decodeId } from '../../../platform/ids.ts'
import { drainJobs } from '../../../platform/jobs/worker.ts'
import { createLog } from '../../../platform/log.ts'
import { wireJobs } from '../../../roles/jobs.ts'

let service: EmbeddingService
let bellhop: Harness
let company: TestCompany
let call: string

beforeAll(async () => {
  service = await startEmbeddingService()
  bellhop = await harness(settings('model-a'))
  company = await bellhop.newCompany()
  const business_number_id = await newNumber(company, { language: 'da', mute: true })
  call = await newCall(company, { business_number_id, transcription: 'Jeg vil have mine penge tilbage.' })
  await newCall(company, { business_number_id, transcription: 'Et bord til otte.' })
  await bellhop.drainJobs()
})

const settings = (model: string) => ({
  EMBEDDINGS: 'openai',
  EMBEDDINGS_URL: service.url,
  EMBEDDINGS_MODEL: model,
  EMBEDDINGS_API_KEY: 'key-of-the-service',
})

async function find(query: string): Promise<string[]> {
  const { status, body } = await company.api.get(`/calls?${new URLSearchParams({ query }).toString()}`)
  expect(status).toBe(200)
  return (body.calls as { id: string }[]).map(({ id }) => decodeId('cal', id)!)
}

const warnings = () => bellhop.logged.filter((line) => line.includes('searched by keywords only')).length

test('a service finds semantically in every language it supports', async () => {
  expect(await find('refund')).toEqual([call])
  expect(service.asked.at(-1)).toEqual({
    authorization: 'Bearer key-of-the-service',
    model: 'model-a',
    input: ['refund'],
  })
})

test.each([
  ['an error', { status: 500, body: '{}' }],
  ['too much to do', { status: 429, body: '{}' }],
  ['no JSON', { status: 200, body: '<html>' }],
  ['no vectors', { status: 200, body: '{"data": []}' }],
  ['words for numbers', { status: 200, body: '{"data": [{"index": 0, "embedding": ["a","b","c"]}]}' }],
  [
    'a vector of nothing',
    { status: 200, body: JSON.stringify({ data: [{ index: 0, embedding: Array(64).fill(0) }] }) },
  ],
  ['too much to read', { status: 200, body: ' '.repeat(9 * 1024 * 1024) }],
])('when the service responds with %s, only keywords count, and it is logged', async (_, answer) => {
  const before = warnings()
  service.answerWith(answer)
  expect(await find('refund')).toEqual([])
  expect(await find('penge')).toEqual([call])
  service.answerWith(undefined)
  expect(warnings()).toBe(before + 2)
})

test('when the service does not respond in time, only keywords count, and it is logged', async () => {
  const before = warnings()
  service.answerWith('nothing')
  const asked = service.asked.length
  const found = find('penge')
  await expect.poll(() => service.asked.length).toBe(asked + 1)
  bellhop.clock.advance(2_000)
  expect(await found).toEqual([call])
  service.answerWith(undefined)
  expect(warnings()).toBe(before + 1)
})

test('a vector of another dimension is not compared', async () => {
  service.answerWith({
    status: 200,
    body: JSON.stringify({ data: [{ index: 0, embedding: Array(32).fill(1) }] }),
  })
  expect(await find('refund')).toEqual([])
  service.answerWith(undefined)
})

test('after a change of the model every call gets a new embedding, and the old vectors are deleted', async () => {
  const { db, clock, dataDir, url } = bellhop
  const config = readConfig({ BELLHOP_DATA_DIR: dataDir, ...settings('model-b') })
  const log = createLog({ level: 'silent' })
  const jobs = await wireJobs({ config, db, log, clock, baseUrl: url, apiUrl: url })
  const sweep = async () => {
    await db.sql`select graphile_worker.add_job('calls.sweep_meanings')`
    await drainJobs({ address: db.address, handlers: jobs.handlers, log })
  }
  const models = async () =>
    (await db.sql<{ model: string }[]>`select distinct model from meaning_cells`).map(({ model }) => model)
  await sweep()
  const left = await db.sql`
    select 1 from call_meanings m join meaning_cells c on c.id = m.cell where c.model <> 'model-b'`
  expect(left).toHaveLength(0)
  await sweep()
  expect(await models()).toEqual(['model-b'])
  await jobs.close()
  // A process that still has the old model finds no embeddings to compare with.
  expect(await find('refund')).toEqual([])
})

test('calls that were transcribed without an engine get their vectors later', async () => {
  const { db, dataDir, clock, url } = bellhop
  const log = createLog({ level: 'silent' })
  const late = await newCall(company, { transcription: 'Min pakke er ikke kommet.' })
  const config = readConfig({ BELLHOP_DATA_DIR: dataDir, EMBEDDINGS: 'off' })
  const without = await wireJobs({ config, db, log, clock, baseUrl: url, apiUrl: url })
  await drainJobs({ address: db.address, handlers: without.handlers, log })
  await without.close()
  const made = () => db.sql`select 1 from call_meanings where call_id = ${late}`
  expect(await made()).toHaveLength(0)
  await db.sql`select graphile_worker.add_job('calls.sweep_meanings')`
  await bellhop.drainJobs()
  expect(await made()).toHaveLength(1)
})
