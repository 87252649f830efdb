import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { recordingStored } from '../../server/modules/calls/index.ts'
import { openDatabase } from '../../server/platform/db/database.ts'
import { afterFile } from '../harness/after-file.ts'
import { sayJson, startOpenAiServer } from '../harness/peers/openai-server.ts'
import { bellhop, newFolder, program, startService, until } from '../harness/processes/bellhop-process.ts'
import { sounds } from '../harness/sound/spoken-english.ts'
import { recordingOf } from '../harness/sound/telephone-sound.ts'

test('a worker killed in the middle of a transcription loses nothing, and another stores the transcript once', async () => {
  const cwd = await newFolder()
  const peer = await startOpenAiServer()
  afterFile(() => peer.close())
  const dataDir = `${cwd}/data`
  const env = { BELLHOP_DATA_DIR: dataDir, TRANSCRIPTION_ENGINE: 'openai', TRANSCRIPTION_URL: peer.url }
  const role = (name: string) => startService({ env, cwd, command: [process.execPath, program, name] })
  const api = await role('api')
  await bellhop(['demo', '--json'], { env, cwd })

  await mkdir(`${dataDir}/files/recordings`, { recursive: true })
  for (const name of ['one', 'two'])
    await writeFile(`${dataDir}/files/recordings/${name}.wav`, recordingOf(sounds[3]!))
  const socket = { host: join(dataDir, 'postgres', 'run'), port: 5432, user: 'postgres', database: 'bellhop' }
  const db = openDatabase(socket, { poolSize: 2 })
  afterFile(() => db.close())
  const [call, later] = await db.sql<{ id: string; company_id: string }[]>`
    insert into calls (company_id, business_number_id, direction, remote_number, state, started_at, ended_at)
    select company_id, id, 'inbound', '+4520112233', 'ended', now(), now()
    from (select company_id, id from business_numbers limit 1) number, generate_series(1, 2)
    returning company_id, id`
  const { id, company_id: companyId } = call!
  await db.sql`
    insert into webhook_subscriptions (company_id, name, url, events, secret_sealed)
    values (${companyId}, 'Sink', 'https://example.com', '{call.transcription_done}', '')`
  await db.tx((tx) => recordingStored(tx, companyId, id, { key: 'recordings/one.wav' }))

  peer.answer = () => {}
  const killed = await role('worker')
  await until(() => peer.asked.length === 1)
  killed.signal('SIGKILL')
  await killed.ended

  peer.answer = (_, response) => sayJson(response, 200, { text: 'It is here.' })
  // The lease of the dead worker expires after 20 seconds.
  const [order] = await db.sql`
    update transcript_orders set claimed_until = claimed_until - interval '20 seconds'
    returning claimed_until <= now() as is_over`
  expect(order).toEqual({ is_over: true })
  const workers = [await role('worker'), await role('worker')]
  const words = async () => {
    const [row] = await db.sql<
      { transcription: string | null }[]
    >`select transcription from calls where id = ${id}`
    return row!.transcription
  }
  await until(async () => (await words()) !== null)
  expect(await words()).toBe('+4520112233: It is here.')
  expect(peer.asked).toHaveLength(2)
  const orders = await db.sql`select from transcript_orders`
  expect(orders).toHaveLength(0)
  const events = await db.sql`select from webhook_deliveries where event_name = 'call.transcription_done'`
  expect(events).toHaveLength(1)

  // A worker that is asked to stop does not wait for a response, and releases its lease at once.
  peer.answer = () => {}
  await db.tx((tx) => recordingStored(tx, companyId, later!.id, { key: 'recordings/two.wav' }))
  await until(() => peer.asked.length === 3)
  for (const worker of workers) worker.signal('SIGTERM')
  for (const worker of workers) expect(await worker.ended).toBe(0)
  const [left] = await db.sql`select claim, tries from transcript_orders`
  expect(left).toEqual({ claim: null, tries: 0 })
  // Only the killed one left its copy behind, which is removed within a day.
  expect(await readdir(`${dataDir}/transcribing`)).toHaveLength(1)
  api.signal('SIGTERM')
  expect(await api.ended).toBe(0)
})
