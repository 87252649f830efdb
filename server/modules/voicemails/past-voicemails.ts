import type { Tx } from '../../platform/db/database.ts'
import { insertVoicemail, updateListened, updateVoicemailTranscript } from './queries.ts'

interface PastVoicemail {
  key: string
  seconds: number
  text: string
  listenedAt?: Date
}

/** The voicemail of a call that has ended before it is stored. */
export async function storePastVoicemail(
  tx: Tx,
  companyId: string,
  call: Parameters<typeof insertVoicemail>[2],
  { key, seconds, text, listenedAt }: PastVoicemail,
): Promise<void> {
  const id = await insertVoicemail(tx, companyId, call, { key, seconds })
  if (id === undefined) return
  await updateVoicemailTranscript(tx, companyId, id, text)
  if (listenedAt) await updateListened(tx, companyId, id, listenedAt)
}
