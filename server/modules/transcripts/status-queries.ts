import type { Fragment, Queryable } from '../../platform/db/database.ts'
import type { TranscriptSubject } from './subject.ts'

/** The columns of the table that has the recordings. */
interface RecordingColumns {
  companyId: Fragment
  id: Fragment
  recordingKey: Fragment
  transcription: Fragment
}

/** Null if nobody spoke. Earlier versions stored an empty text then. */
export const transcriptOf = (sql: Queryable, transcription: Fragment) => sql`nullif(${transcription}, '')`

/** The status of a transcription, as part of a larger statement. A task is deleted when it is done. */
export const transcriptionStatusOf = (
  sql: Queryable,
  kind: TranscriptSubject['kind'],
  { companyId, id, recordingKey, transcription }: RecordingColumns,
) => sql`
  case when ${transcriptOf(sql, transcription)} is not null then 'done' else coalesce(
    (
      select case
        when o.status = 'waiting' then 'pending'
        when o.failure = 'language' then 'unsupported_language'
        when o.failure = 'not_understood' then 'not_understood'
        else 'failed'
      end
      from transcript_orders o
      where o.company_id = ${companyId} and o.kind = ${kind} and o.subject_id = ${id}
    ),
    case when ${recordingKey} is not null then 'no_speech' end
  ) end`
