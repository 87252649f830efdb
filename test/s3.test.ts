import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { systemClock } from '../server/platform/clock.ts'
import { encodeId } from '../server/platform/ids.ts'
import { type S3Options, s3Storage } from '../server/providers/storage/s3.ts'
import { newNumber, newVoicemail } from './harness/calls/telephony.ts'
import { type Harness, harness, type TestCompany } from './harness/index.ts'
import { type S3Server, startS3Server } from './harness/peers/s3-server.ts'

let server: S3Server
let bucket: S3Options
let bellhop: Harness
let company: TestCompany

beforeAll(async () => {
  server = await startS3Server()
  bucket = await server.newBucket()
  bellhop = await harness(settingsOf(bucket))
  company = await bellhop.newCompany()
})
afterAll(() => server.stop())

const settingsOf = (bucket: S3Options) => ({
  S3_URL: bucket.endpoint,
  S3_BUCKET: bucket.bucket,
  S3_REGION: bucket.region,
  S3_ACCESS_KEY_ID: bucket.accessKeyId,
  S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
})

/** Long enough to arrive in many chunks, and no two ranges are alike. */
const RECORDING = Buffer.from(Array.from({ length: 60_000 }, (_, i) => `${i}.`).join(''))

async function newRecordedVoicemail() {
  const key = `recordings/${company.companyId}/${randomUUID()}.wav`
  await s3Storage(bucket, systemClock).put(key, RECORDING)
  const id = await newVoicemail(company, { recording_key: key })
  const path = `/voicemails/${encodeId('voi', id)}`
  const url: string = (await company.api.get(path)).body.recording_url
  return { key, path, url }
}

describe('a voicemail whose recording is in a bucket', () => {
  test('is played completely from its signed URL', async () => {
    const { url } = await newRecordedVoicemail()
    expect(url).toMatch(`${bellhop.url}/files/`)
    const answer = await fetch(url)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('audio/wav')
    expect(answer.headers.get('content-length')).toBe(String(RECORDING.length))
    expect(Buffer.from(await answer.arrayBuffer()).equals(RECORDING)).toBe(true)
  })

  test.each([
    ['bytes=0-43', 0, 43],
    ['bytes=100000-199999', 100_000, 199_999],
    ['bytes=300000-', 300_000, RECORDING.length - 1],
    ['bytes=-5', RECORDING.length - 5, RECORDING.length - 1],
  ])('is played from the middle: %s', async (range, start, end) => {
    const { url } = await newRecordedVoicemail()
    const answer = await fetch(url, { headers: { range } })
    expect(answer.status).toBe(206)
    expect(answer.headers.get('content-range')).toBe(`bytes ${start}-${end}/${RECORDING.length}`)
    const part = Buffer.from(await answer.arrayBuffer())
    expect(part.equals(RECORDING.subarray(start, end + 1))).toBe(true)
  })

  test('has no range beyond its end', async () => {
    const { url } = await newRecordedVoicemail()
    const answer = await fetch(url, { headers: { range: `bytes=${RECORDING.length}-` } })
    expect(answer.status).toBe(416)
    expect(answer.headers.get('content-range')).toBe(`bytes */${RECORDING.length}`)
  })

  test('is removed from the bucket when it is deleted, and the others stay', async () => {
    const { key, path, url } = await newRecordedVoicemail()
    const kept = await newRecordedVoicemail()
    expect((await company.api.delete(path)).status).toBe(204)
    await bellhop.drainJobs()
    const left = await server.keysIn(bucket)
    expect(left).not.toContain(key)
    expect(left).toContain(kept.key)
    expect((await fetch(url)).status).toBe(404)
  })
})

test('synthesised speech is stored in the bucket and served from there', async () => {
  const number = encodeId('num', await newNumber(company, { language: 'da', mute: true }))
  const path = `/business_numbers/${number}/voice_previews`
  const made = await company.api.post(path, { kind: 'greeting', text: 'Hej.' })
  expect(made.status).toBe(201)
  const key = (await server.keysIn(bucket)).find((key) => !key.startsWith('recordings/'))
  const stored = await buffer(await s3Storage(bucket, systemClock).read(key!))
  expect(stored.subarray(0, 4).toString()).toBe('RIFF')
  const served = Buffer.from(await (await fetch(made.body.audio_url)).arrayBuffer())
  expect(served.equals(stored)).toBe(true)
})

// Last, because nothing can be stored after it.
test('while the bucket is unreachable, a recording is refused with a clear error, and a pending removal is retried until it succeeds', async () => {
  const { path, url } = await newRecordedVoicemail()
  await server.stop()

  const answer = await fetch(url)
  expect(answer.status).toBe(500)
  expect(await answer.json()).toEqual({ error: 'internal_error', message: expect.any(String) })

  expect((await company.api.delete(path)).status).toBe(204)
  await bellhop.drainJobs()
  const jobs = await bellhop.db.sql`
    select attempts, last_error from graphile_worker.jobs where task_identifier = 'files.remove'`
  expect(jobs).toMatchObject([{ attempts: 1, last_error: expect.stringContaining('ECONNREFUSED') }])
  expect(bellhop.logged.join()).not.toContain(bucket.secretAccessKey)
})
