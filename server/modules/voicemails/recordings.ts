import { publishToCompany } from '../../live.ts'
import type { Tx } from '../../platform/db/database.ts'
import { holdForVoicemail } from '../calls/index.ts'
import { enqueueTranscription } from '../transcripts/index.ts'
import { recordVoicemailEvent } from './events.ts'
import { insertVoicemail } from './queries.ts'

interface VoicemailRecording {
  key: string
  seconds: number
}

/**
 * The voicemail of a call is in storage under `key`, as a mono 8 kHz WAV file. Returns its id, or undefined if it was
 * stored before: an edge that did not learn the result of the transaction tries again.
 */
export async function storeVoicemail(
  tx: Tx,
  companyId: string,
  callId: string,
  recording: VoicemailRecording,
): Promise<string | undefined> {
  const call = await holdForVoicemail(tx, companyId, callId)
  const id = call && (await insertVoicemail(tx, companyId, call, recording))
  if (!id) return undefined
  await enqueueTranscription(tx, companyId, { kind: 'voicemail', id })
  await recordVoicemailEvent(tx, companyId, 'voicemail.new', id)
  await publishToCompany(tx, companyId, { type: 'unseen_update' })
  return id
}
