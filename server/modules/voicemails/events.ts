import type { EventName } from '../../events.ts'
import type { Tx } from '../../platform/db/database.ts'
import { readCallData } from '../calls/index.ts'
import { recordEvent } from '../webhooks/index.ts'
import { selectVoicemail } from './queries.ts'

type VoicemailEventName = Extract<EventName, `voicemail.${string}`>

/** Tells of the voicemail, and of the call it was left in, as they now are in this transaction. */
export async function recordVoicemailEvent(
  tx: Tx,
  companyId: string,
  name: VoicemailEventName,
  voicemailId: string,
): Promise<void> {
  const row = await selectVoicemail(tx, companyId, voicemailId)
  if (!row?.call_id) throw new Error(`there is no voicemail ${voicemailId} of a call to tell of`)
  const { data, recordingKey } = await readCallData(tx, companyId, row.call_id)
  const voicemail = {
    id: row.id,
    from: row.from,
    main_number_name: row.main_number_name,
    main_number_number: row.number,
    transcription: row.transcription,
    created_at: row.created_at,
  }
  await recordEvent(tx, companyId, name, { ...data, voicemail }, { recordingKey })
}
