import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { encodeWav, SPEECH_SAMPLE_RATE } from '../../../server/speech/embedded/wav.ts'
import { newVoicemail } from '../calls/telephony.ts'
import type { Harness, TestCompany } from '../index.ts'

const SECONDS = 2
const HZ = 440

/** Stores a tone of two seconds as a recording. Returns its key. */
export async function storeTone(
  { dataDir }: Harness,
  company: TestCompany,
  seconds = SECONDS,
): Promise<string> {
  return storeSound({ dataDir }, company, `tone-of-${seconds}-s`, [{ seconds, isTone: true }])
}

/** A recording of tones and pauses. */
export async function storeSound(
  { dataDir }: Pick<Harness, 'dataDir'>,
  company: TestCompany,
  name: string,
  parts: { seconds: number; isTone: boolean }[],
): Promise<string> {
  const tone = Float32Array.from(
    parts.flatMap(({ seconds, isTone }) =>
      Array.from({ length: seconds * SPEECH_SAMPLE_RATE }, (_, at) =>
        isTone ? Math.sin((2 * Math.PI * HZ * at) / SPEECH_SAMPLE_RATE) / 2 : 0,
      ),
    ),
  )
  const key = `recordings/${company.companyId}/${name}.wav`
  const file = join(dataDir, 'files', key)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, encodeWav(tone)!)
  return key
}

/** A voicemail that can be listened to. */
export async function newRecordedVoicemail(
  bellhop: Harness,
  company: TestCompany,
  values: Parameters<typeof newVoicemail>[1] = {},
): Promise<string> {
  return newVoicemail(company, { recording_key: await storeTone(bellhop, company), ...values })
}
