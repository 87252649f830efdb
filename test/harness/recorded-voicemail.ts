import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { encodeWav, SAMPLE_RATE } from '../../server/speech/embedded/wav.ts'
import type { Harness, TestCompany } from './index.ts'
import { newVoicemail } from './telephony.ts'

const SECONDS = 2
const HZ = 440

/** A voicemail with something to hear: a tone of two seconds. */
export async function newRecordedVoicemail(
  { dataDir }: Harness,
  company: TestCompany,
  values: Parameters<typeof newVoicemail>[1] = {},
): Promise<string> {
  const tone = Float32Array.from(
    { length: SECONDS * SAMPLE_RATE },
    (_, at) => Math.sin((2 * Math.PI * HZ * at) / SAMPLE_RATE) / 2,
  )
  const key = `recordings/${company.companyId}/tone.wav`
  const file = join(dataDir, 'files', key)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, encodeWav(tone)!)
  return newVoicemail(company, { recording_key: key, ...values })
}
