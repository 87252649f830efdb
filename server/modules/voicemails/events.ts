import type { EventName } from '../../events.ts'
import type { Tx } from '../../platform/db/database.ts'
import { readCallData } from '../calls/index.ts'
import { recordEvent } from '../webhooks/index.ts'
import { selectVoicemail } from './queries.ts'

type VoicemailEventName = Extract<EventName, `voicemail.${string}`>

/** Records the event with the voicemail and its call as this transaction sees them. */
export async function recordVoicemailEvent(
  tx: Tx,
  companyId: string,
  name: VoicemailEventName,
  voicemailId: string,
): Promise<void> {
  const row = await selectVoicemail(tx, companyId, voicemailId)
  if (!row?.call_id) throw new Error(`cannot record an event of voicemail ${voicemailId}: it has no call`)
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
