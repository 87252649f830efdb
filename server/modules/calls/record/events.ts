import type { CallData, EventName } from '../../../events.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { recordEvent } from '../../webhooks/index.ts'
import { presentCall } from './calls.ts'
import { type CallRow, selectCall } from './queries.ts'

export type CallEventName = Extract<EventName, `call.${string}`>

/** Records the event with the call as this transaction sees it, except for what is given instead. */
export async function recordCallEvent(
  tx: Tx,
  companyId: string,
  name: CallEventName,
  callId: string,
  instead: Partial<CallData> = {},
): Promise<void> {
  const { data, recordingKey } = await readCallData(tx, companyId, callId)
  await recordEvent(tx, companyId, name, { ...data, ...instead }, { recordingKey })
}

/** The data of a call's events. The recording link is created when the event is delivered, because it expires. */
export async function readCallData(
  tx: Tx,
  companyId: string,
  callId: string,
): Promise<{ data: CallData; recordingKey: string | null }> {
  const row = await selectCall(tx, companyId, callId)
  if (!row) throw new Error(`cannot record an event of call ${callId}: no such call`)
  return { data: present(row), recordingKey: row.ended_at && row.recording_key }
}

function present(row: CallRow): CallData {
  const {
    main_number,
    main_number_formatted,
    initiated_by = null,
    transcription_status: _status,
    contact_name: _name,
    wrap_up: _wrapUp,
    ...call
  } = presentCall(row, noLinks)
  return {
    ...call,
    main_number_number: main_number,
    main_number_number_formatted: main_number_formatted,
    call_control_id: row.control_id,
    initiated_by,
  }
}

const noLinks = { to: () => null }
