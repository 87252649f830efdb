import { publishToCompany } from '../../live.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import type { Summariser, Transcript } from '../../speech/port.ts'
import { summariseCall } from '../calls/index.ts'
import type { Transcribable } from '../transcripts/index.ts'
import { recordVoicemailEvent } from './events.ts'
import { selectVoicemailSource, updateVoicemailTranscript } from './queries.ts'

/** Turns the recording of a voicemail into its transcript, and into the summary of its call. */
export function voicemailTranscripts(parts: { db: Database; summariser: Summariser }): Transcribable {
  const { db, summariser } = parts
  return {
    async find(companyId, id) {
      const voicemail = await selectVoicemailSource(db.sql, companyId, id)
      if (!voicemail?.recording_key) return undefined
      const { recording_key, language, call_id } = voicemail
      return { recordingKey: recording_key, language, callId: call_id }
    },
    async prepare(companyId, id, transcript) {
      const voicemail = await selectVoicemailSource(db.sql, companyId, id)
      if (!voicemail) return async () => {}
      const { call_id, language, customer } = voicemail
      const text = textOf(transcript)
      if (text === '') return (tx) => publish(tx, companyId, call_id)
      const turns = [{ speaker: customer, text, ours: false }]
      const summary = await summariser.summarise({
        kind: 'voicemail',
        language,
        customer,
        employee: null,
        turns,
      })
      return async (tx) => {
        if (!(await updateVoicemailTranscript(tx, companyId, id, text))) return
        if (!call_id) return
        if (summary) await summariseCall(tx, companyId, call_id, summary)
        await recordVoicemailEvent(tx, companyId, 'voicemail.transcription_done', id)
        await publish(tx, companyId, call_id)
      }
    },
  }
}

async function publish(tx: Tx, companyId: string, callId: string | null): Promise<void> {
  if (callId) await publishToCompany(tx, companyId, { type: 'call_update', id: callId })
}

const textOf = ({ channels }: Transcript) =>
  channels
    .flat()
    .toSorted((a, b) => a.startMs - b.startMs)
    .map(({ text }) => text)
    .join(' ')
