import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { AppError, fail, notFound } from '../../../platform/errors.ts'
import type { Actor } from '../../../platform/http/route.ts'
import type { CallRef } from '../live/call-ref.ts'
import { publishCall } from '../live/live-calls.ts'
import { type LiveCallRow, selectLiveCall } from '../live/queries.ts'
import { callNotActive, edgeUnreachable, notCallController } from '../transfers/errors.ts'
import type { TransferParts } from '../transfers/transfers.ts'
import { selectRecordingState, updateRecordingState } from './queries.ts'
import type { LiveRecording, LiveRecordingState } from './schemas.ts'

export async function readLiveRecording(
  sql: Queryable,
  { companyId }: Actor,
  callId: string,
): Promise<LiveRecording> {
  return (await selectRecordingState(sql, companyId, callId)) ?? fail(notFound())
}

/** The edge that has the call answers once nothing more, or something again, is recorded. Repeating it changes nothing. */
export async function setRecordingPaused(
  { db, askEdge }: TransferParts,
  actor: Actor,
  callId: string,
  isPaused: boolean,
): Promise<LiveRecording> {
  const { companyId } = actor
  const call = (await selectLiveCall(db.sql, companyId, callId)) ?? fail(notFound())
  checkControl(actor, call)
  const command = { do: isPaused ? 'pause_recording' : 'resume_recording' } as const
  const asked = await askEdge(async () => ({ companyId, callId, command }))
  if (!asked.ok) throw edgeUnreachable()
  const { ok, state } = asked.answer as { ok: boolean; state?: LiveRecordingState }
  if (!ok || !state) throw callNotActive()
  if (state === 'off') throw callNotRecorded()
  return { state }
}

function checkControl({ employeeId }: Actor, call: LiveCallRow): void {
  if (call.state === 'ended') throw callNotActive()
  if (call.controller_id !== employeeId) throw notCallController()
  if (call.state !== 'answered' && call.state !== 'bridged') throw callNotActive()
}

/** What the edge that records the call reports. */
export async function recordingStateChanged(tx: Tx, ref: CallRef, state: LiveRecordingState): Promise<void> {
  if (await updateRecordingState(tx, ref.companyId, ref.callId, state)) await publishCall(tx, ref)
}

const callNotRecorded = () =>
  new AppError({ status: 409, code: 'call_not_recorded', message: 'The call is not being recorded.' })
