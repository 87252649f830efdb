import type { Tx } from '../../platform/db/database.ts'
import { recordVoicemailEvent } from './events.ts'
import { insertVoicemail, type NewVoicemail } from './queries.ts'

/** A caller has left a voicemail. */
export async function saveVoicemail(tx: Tx, companyId: string, voicemail: NewVoicemail): Promise<void> {
  const id = await insertVoicemail(tx, companyId, voicemail)
  if (id) await recordVoicemailEvent(tx, companyId, 'voicemail.new', id)
}
