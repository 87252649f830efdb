import { mkdir, open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { expect, test } from 'vitest'

import { newCall, newVoicemail } from '../../../test/harness/calls/telephony.ts'
import { harness } from '../../../test/harness/index.ts'
import { storeSound } from '../../../test/harness/sound/recorded-voicemail.ts'
import { wavHeader } from '../../media/audio/wav-writer.ts'
import { encodeId } from '../../platform/ids.ts'

const bellhop = await harness()

const SPEECH = { seconds: 1, isTone: true }
const PAUSE = { seconds: 4, isTone: false }

async function recorded() {
  const company = await bellhop.newCompany()
  const key = await storeSound(bellhop, company, 'with-pause', [SPEECH, PAUSE, SPEECH])
  return { company, key }
}

test('the waveform of a recording is measured once: its length, how loud it is, and where it is silent', async () => {
  const { company, key } = await recorded()
  const id = encodeId('voi', await newVoicemail(company, { recording_key: key }))
  const { status, body } = await company.api.get(`/voicemails/${id}/waveform`)
  expect(status).toBe(200)
  expect(body.duration_ms).toBe(6_000)
  const { peaks, silences } = body as { peaks: number[]; silences: { start_ms: number; end_ms: number }[] }
  expect(Math.max(...peaks)).toBe(100)
  expect(peaks[Math.floor(peaks.length / 2)]).toBeLessThan(5)
  const longest = silences.toSorted((a, b) => b.end_ms - b.start_ms - (a.end_ms - a.start_ms))[0]!
  expect(longest.end_ms - longest.start_ms).toBeGreaterThan(3_000)
  expect(longest.end_ms - longest.start_ms).toBeLessThan(4_000)

  // The file is not needed again.
  await rm(join(bellhop.dataDir, 'files', key))
  expect((await company.api.get(`/voicemails/${id}/waveform`)).body).toEqual(body)
  await company.api.delete(`/voicemails/${id}`)
  expect(await bellhop.db.sql`select from waveforms where company_id = ${company.companyId}`).toHaveLength(0)
})

test('the recording of a call has one too; without a recording, or a readable one, there is none', async () => {
  const { company, key } = await recorded()
  const path = async (values: Parameters<typeof newCall>[1]) =>
    `/calls/${encodeId('cal', await newCall(company, values))}/waveform`
  expect((await company.api.get(await path({ recording_key: key }))).body.peaks.length).toBeGreaterThan(10)
  expect((await company.api.get(await path({}))).status).toBe(404)
  expect((await company.api.get(await path({ recording_key: 'recordings/gone.wav' }))).status).toBe(404)
})

test('a recording of four hours is measured, with both of its channels', async () => {
  const company = await bellhop.newCompany()
  const SECOND = 8_000
  const seconds = 4 * 3600
  const key = `recordings/${company.companyId}/long.wav`
  const path = join(bellhop.dataDir, 'files', key)
  await mkdir(dirname(path), { recursive: true })
  const bytes = seconds * SECOND * 2 * 2
  const noise = Int16Array.from(
    { length: 60 * SECOND * 2 },
    (_, at) => (at % 2) * (at % 4 === 1 ? 9_000 : -9_000),
  )
  const file = await open(path, 'w')
  await file.write(wavHeader(2, bytes))
  // The rest is silence, of which the disk stores nothing. The second channel speaks in the last minute.
  await file.write(Buffer.from(noise.buffer), 0, noise.byteLength, 44 + bytes - noise.byteLength)
  await file.close()
  const id = encodeId('cal', await newCall(company, { recording_key: key }))
  const { body } = await company.api.get(`/calls/${id}/waveform`)
  expect(body.duration_ms).toBe(seconds * 1_000)
  expect(body.peaks).toHaveLength(240)
  expect([body.peaks[0], body.peaks[238], body.peaks[239]]).toEqual([0, 0, 100])
  expect(body.silences).toHaveLength(1)
})
