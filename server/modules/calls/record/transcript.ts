import { publishToCompany } from '../../../live.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Summariser } from '../../../speech/port.ts'
import type { Transcribable } from '../../transcripts/index.ts'
import { recordCallEvent } from './events.ts'
import {
  type CallSpeakersRow,
  type CallTranscript,
  selectCallSpeakers,
  updateCallTranscript,
} from './queries.ts'
import { type CallTurn, remotePartyName, turnsOf } from './speaker-turns.ts'

/** Turns the recording of a call into its transcript and summary. */
export function callTranscripts({ db, summariser }: { db: Database; summariser: Summariser }): Transcribable {
  return {
    async find(companyId, id) {
      const call = await selectCallSpeakers(db.sql, companyId, id)
      if (!call?.recording_key) return undefined
      return { recordingKey: call.recording_key, language: call.language, callId: id }
    },
    async prepare(companyId, id, transcript, recordedFrom) {
      const call = await selectCallSpeakers(db.sql, companyId, id)
      if (!call) return async () => {}
      const turns = turnsOf(transcript, call, recordedFrom)
      if (turns.length === 0) return (tx) => publishToCompany(tx, companyId, { type: 'call_update', id })
      const words = await wordsOf(call, turns, summariser)
      return async (tx) => {
        if (!(await updateCallTranscript(tx, companyId, id, words))) return
        await recordCallEvent(tx, companyId, 'call.transcription_done', id)
        await publishToCompany(tx, companyId, { type: 'call_update', id })
      }
    },
  }
}

async function wordsOf(
  call: CallSpeakersRow,
  turns: CallTurn[],
  summariser: Summariser,
): Promise<CallTranscript> {
  const summary = await summariser.summarise({
    kind: call.direction === 'inbound' ? 'inbound_call' : 'outbound_call',
    language: call.language,
    customer: remotePartyName(call),
    employee: turns.find(({ ours }) => ours)?.speaker ?? call.employees[0]?.name ?? null,
    turns,
  })
  return {
    transcription: turns.map(({ speaker, text }) => `${speaker}: ${text}`).join('\n'),
    segments: turns.map(({ speaker, text, employee_id, startMs }) => ({
      speaker,
      text,
      start_ms: Math.round(startMs),
      ...(employee_id && { employee_id }),
    })),
    summary,
  }
}
