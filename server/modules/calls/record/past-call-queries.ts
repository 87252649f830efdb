import type { Tx } from '../../../platform/db/database.ts'
import { oneValue } from '../../../platform/db/rows.ts'
import type { NewWrapUp } from '../wrap-up/queries.ts'
import type { CallTranscript } from './queries.ts'

export interface PastCallRow extends Partial<CallTranscript> {
  numberId: string
  direction: 'inbound' | 'outbound'
  customer: string
  startedAt: Date
  answeredAt?: Date
  endedAt: Date
  recordingKey?: string
  initiatedBy?: string
  /** Noted when the call had ended. */
  wrapUp?: NewWrapUp
}

export function insertPastCall(tx: Tx, companyId: string, call: PastCallRow) {
  const { segments, wrapUp } = call
  const row = {
    company_id: companyId,
    business_number_id: call.numberId,
    direction: call.direction,
    remote_number: call.customer,
    state: 'ended',
    started_at: call.startedAt,
    answered_at: call.answeredAt ?? null,
    ended_at: call.endedAt,
    recording_key: call.recordingKey ?? null,
    initiated_by: call.initiatedBy ?? null,
    transcription: call.transcription ?? null,
    transcription_segments: segments ? tx.json(segments) : null,
    summary: call.summary ?? null,
    outcome: wrapUp?.outcome ?? null,
    note: wrapUp?.note ?? null,
    wrapped_up_by: wrapUp?.authorId ?? null,
    wrapped_up_at: wrapUp ? call.endedAt : null,
  }
  return oneValue(tx<{ id: string }[]>`insert into calls ${tx(row as never)} returning id`)
}

export async function addPastEmployee(
  tx: Tx,
  companyId: string,
  { callId, employeeId }: { callId: string; employeeId: string },
) {
  await tx`
    insert into call_employees (company_id, call_id, employee_id, joined_at)
    select company_id, id, ${employeeId}::uuid, answered_at from calls
    where company_id = ${companyId} and id = ${callId}`
}
