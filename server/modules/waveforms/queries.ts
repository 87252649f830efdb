import type { Queryable, Tx } from '../../platform/db/database.ts'
import { firstRow } from '../../platform/db/rows.ts'
import type { Silence, Waveform } from './schemas.ts'

interface WaveformRow {
  duration_ms: number
  peaks: Uint8Array
  silences: Silence[]
}

export function selectWaveform(sql: Queryable, companyId: string, key: string) {
  return firstRow(sql<WaveformRow[]>`
    select duration_ms, peaks, silences from waveforms
    where company_id = ${companyId} and recording_key = ${key}`)
}

export async function insertWaveform(sql: Queryable, companyId: string, key: string, waveform: Waveform) {
  const { duration_ms, peaks, silences } = waveform
  await sql`
    insert into waveforms (company_id, recording_key, duration_ms, peaks, silences)
    values (${companyId}, ${key}, ${duration_ms}, ${Buffer.from(peaks)}, ${sql.json(silences)})
    on conflict do nothing`
}

/** With the recording. */
export async function deleteWaveform(tx: Tx, companyId: string, key: string) {
  await tx`delete from waveforms where company_id = ${companyId} and recording_key = ${key}`
}
