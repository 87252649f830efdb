import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { newCall, newVoicemail } from '../../../test/harness/calls/telephony.ts'
import { harness } from '../../../test/harness/index.ts'
import { storeSound } from '../../../test/harness/sound/recorded-voicemail.ts'
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
  expect(body.duration_ms).toBeGreaterThan(6_000)
  expect(body.duration_ms).toBeLessThan(7_500)
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
