import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { firstRow, hasRow } from '../../../platform/db/rows.ts'
import type { LiveRecordingState } from './schemas.ts'

export function selectRecordingState(sql: Queryable, companyId: string, callId: string) {
  return firstRow(sql<{ state: LiveRecordingState }[]>`
    select case when state = 'ended' then 'off' else coalesce(recording_state, 'off') end as state
    from calls where company_id = ${companyId} and id = ${callId}`)
}

/** False if the call has ended. */
export function updateRecordingState(tx: Tx, companyId: string, callId: string, state: LiveRecordingState) {
  return hasRow(tx`
    update calls set recording_state = ${state === 'off' ? null : state}
    where company_id = ${companyId} and id = ${callId} and state <> 'ended' returning id`)
}
