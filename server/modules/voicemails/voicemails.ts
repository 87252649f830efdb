import { publishToCompany } from '../../live.ts'
import { inBatches } from '../../platform/async/batches.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { fail, notFound } from '../../platform/errors.ts'
import type { Actor } from '../../platform/http/route.ts'
import { enqueue } from '../../platform/jobs/job.ts'
import { formatPhone } from '../../platform/text/phone.ts'
import { clearVoicemailSummary } from '../calls/index.ts'
import { removeFile } from '../files/index.ts'
import type { FileLinks } from '../files/index.ts'
import { cancelTranscription } from '../transcripts/index.ts'
import { forgetWaveform, type Waveform, type Waveforms } from '../waveforms/index.ts'
import { VOICEMAIL_LIMITS } from './limits.ts'
import {
  countUnlistened,
  deleteVoicemailRow,
  selectVoicemail,
  selectVoicemailsBefore,
  selectVoicemailsWith,
  updateListened,
  type VoicemailRow,
} from './queries.ts'
import type { ListedVoicemail, Voicemail, VoicemailSearch, VoicemailUpdate } from './schemas.ts'

const BATCH_SIZE = 500

export interface VoicemailParts extends Dependencies<'db' | 'clock'> {
  links: FileLinks
  waveforms: Waveforms
}

export async function listVoicemails({ db, links }: VoicemailParts, actor: Actor) {
  return {
    unlistened_count: await countUnlistened(db.sql, actor.companyId),
    /** Newest first. */
    voicemails: inBatches(BATCH_SIZE, async (beforeId, limit) => {
      const rows = await selectVoicemailsBefore(db.sql, actor.companyId, beforeId, limit)
      return rows.map((row) => presentListed(row, links))
    }),
  }
}

/** Newest first. */
export async function searchVoicemails(
  { db, links }: VoicemailParts,
  { companyId }: Actor,
  { query, limit }: VoicemailSearch,
): Promise<ListedVoicemail[]> {
  const words = query.split(/\s+/).filter(Boolean).slice(0, VOICEMAIL_LIMITS.queryWords)
  const rows = await selectVoicemailsWith(db.sql, companyId, words, limit)
  return rows.map((row) => presentListed(row, links))
}

export async function readVoicemailWaveform(
  { db, waveforms }: VoicemailParts,
  actor: Actor,
  id: string,
): Promise<Waveform> {
  const voicemail = await selectVoicemail(db.sql, actor.companyId, id)
  return waveforms.read(actor.companyId, voicemail?.recording_key ?? fail(notFound()))
}

export async function readVoicemail(
  { db, links }: VoicemailParts,
  actor: Actor,
  id: string,
): Promise<Voicemail> {
  return presentSingle((await selectVoicemail(db.sql, actor.companyId, id)) ?? fail(notFound()), links)
}

export async function updateVoicemail(
  { db, links, clock }: VoicemailParts,
  actor: Actor,
  id: string,
  { listened }: VoicemailUpdate,
): Promise<Voicemail> {
  const row = await db.tx(async (tx) => {
    if (listened !== undefined) {
      await updateListened(tx, actor.companyId, id, listened ? clock.now() : null)
      await publishToCompany(tx, actor.companyId, { type: 'unseen_update' })
    }
    return selectVoicemail(tx, actor.companyId, id)
  })
  return presentSingle(row ?? fail(notFound()), links)
}

/** A job deletes the recording: a file cannot be part of the transaction, but the job that deletes it can. */
export async function deleteVoicemail(tx: Tx, actor: Actor, id: string): Promise<void> {
  const row = (await deleteVoicemailRow(tx, actor.companyId, id)) ?? fail(notFound())
  await cancelTranscription(tx, actor.companyId, { kind: 'voicemail', id })
  if (row.call_id) await clearVoicemailSummary(tx, actor.companyId, row.call_id)
  await publishToCompany(tx, actor.companyId, { type: 'unseen_update' })
  if (row.recording_key === null) return
  await forgetWaveform(tx, actor.companyId, row.recording_key)
  await enqueue(tx, removeFile, { key: row.recording_key })
}

function present(row: VoicemailRow, links: FileLinks) {
  return { ...row, recording_url: row.recording_key && links.to(row.recording_key) }
}

const presentListed = (row: VoicemailRow, links: FileLinks): ListedVoicemail => ({
  ...present(row, links),
  main_number: row.number,
  main_number_formatted: formatPhone(row.number),
})

const presentSingle = (row: VoicemailRow, links: FileLinks): Voicemail => ({
  ...present(row, links),
  main_number_number: row.number,
  main_number_number_formatted: formatPhone(row.number),
})
