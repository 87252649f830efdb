import { tellCompany } from '../../live.ts'
import type { Tx } from '../../platform/db/database.ts'
import { orderTranscript } from '../transcripts/index.ts'
import { recordVoicemailEvent } from './events.ts'
import { insertVoicemail } from './queries.ts'

/** A voicemail was left in the call, and its sound is in storage under `key`: 8 kHz WAV, one channel. Returns its id. */
export async function voicemailRecorded(
  tx: Tx,
  companyId: string,
  callId: string,
  key: string,
): Promise<string> {
  const id = await insertVoicemail(tx, companyId, callId, key)
  if (!id) throw new Error(`there is no call ${callId} to leave a voicemail in`)
  await orderTranscript(tx, companyId, { kind: 'voicemail', id })
  await recordVoicemailEvent(tx, companyId, 'voicemail.new', id)
  await tellCompany(tx, companyId, { type: 'unseen_update' })
  return id
}
