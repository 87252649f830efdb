import type { Database } from '../../platform/db/database.ts'
import { fail, notFound } from '../../platform/errors.ts'
import type { Storage } from '../../providers/storage/port.ts'
import { WAVEFORM_LIMITS } from './limits.ts'
import { measureWaveform } from './measure.ts'
import { insertWaveform, selectWaveform } from './queries.ts'
import type { Waveform } from './schemas.ts'
import { openStoredSound } from './stored-sound.ts'

export interface WaveformParts {
  db: Database
  storage: Storage
}

export interface Waveforms {
  /** Of a stored recording of the company; measured when it is first asked for. */
  read(companyId: string, key: string): Promise<Waveform>
}

export function createWaveforms({ db, storage }: WaveformParts): Waveforms {
  // One at a time: a long recording keeps this thread busy.
  let previous: Promise<unknown> = Promise.resolve()

  async function measure(key: string): Promise<Waveform> {
    const size = await storage.size(key)
    if (size === undefined || size > WAVEFORM_LIMITS.bytesMax) throw notFound()
    return measureWaveform((await openStoredSound(storage, key, size)) ?? fail(notFound()))
  }

  async function readKnown(companyId: string, key: string): Promise<Waveform | undefined> {
    const known = await selectWaveform(db.sql, companyId, key)
    return known && { ...known, peaks: [...known.peaks] }
  }

  async function readOrMeasure(companyId: string, key: string): Promise<Waveform> {
    const known = await readKnown(companyId, key)
    if (known) return known
    const waveform = await measure(key)
    await insertWaveform(db.sql, companyId, key, waveform)
    return waveform
  }

  return {
    async read(companyId, key) {
      const known = await readKnown(companyId, key)
      if (known) return known
      const measured = previous.then(() => readOrMeasure(companyId, key))
      previous = measured.catch(() => {})
      return measured
    },
  }
}
