import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { wavHeader } from '../../../server/media/audio/wav-writer.ts'
import { newVoicemail } from '../calls/telephony.ts'
import type { Harness, TestCompany } from '../index.ts'

const SECONDS = 2
const HZ = 440
/** As in all recordings. */
const RATE = 8_000

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
  const samples = Int16Array.from(
    parts.flatMap(({ seconds, isTone }) =>
      Array.from({ length: seconds * RATE }, (_, at) =>
        isTone ? Math.sin((2 * Math.PI * HZ * at) / RATE) * 16_384 : 0,
      ),
    ),
  )
  const key = `recordings/${company.companyId}/${name}.wav`
  const file = join(dataDir, 'files', key)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, [wavHeader(1, samples.byteLength), Buffer.from(samples.buffer)])
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
