import { CustomerGone } from '../call/customer-call.ts'
import { TELEPHONY_LIMITS } from '../limits.ts'
import { type Attendance, attendanceOf } from '../ring/anybody-there.ts'
import { announceRecording } from '../sound/recording-announcement.ts'
import { type FlowCall, type FlowEnd, requireCaller } from './flow-call.ts'

/** Queues the caller until one of the employees answers, or the time is up, which it is at once if nobody is there. */
export async function runTransferStep(
  call: FlowCall,
  employeeIds: string[],
  timeoutMs: number | null,
): Promise<FlowEnd> {
  const { parts } = call
  const attendance = timeoutMs === null ? 'there' : await whoIsThere(call, employeeIds)
  if (attendance === 'nobody') return 'no_answer'
  requireCaller(call)
  // Before they are queued: a caller who ends up at a voicemail is not recorded without being asked anyway.
  await announceRecording(parts, call, [call.customer])
  requireCaller(call)
  const isFirst = call.queuedAt === undefined
  call.queuedAt ??= parts.edge.clock.now()
  const outcome = await call.wait({
    employeeIds,
    joinedAt: call.queuedAt,
    isFirst,
    timeoutMs,
    ...(attendance === 'alerted' && {
      arrival: {
        withinMs: TELEPHONY_LIMITS.arrivalMs,
        hasArrived: async () => (await whoIsThere(call, employeeIds)) === 'there',
      },
    }),
  })
  switch (outcome.is) {
    case 'answered':
      return call.converse(outcome.by)
    case 'gone':
      throw new CustomerGone()
    case 'no_answer':
      return 'no_answer'
  }
}

/** If the database cannot say, the caller is queued as soon as it can. */
async function whoIsThere({ parts: { edge }, ref }: FlowCall, employeeIds: string[]): Promise<Attendance> {
  try {
    return await attendanceOf(edge, ref.companyId, employeeIds)
  } catch (err) {
    edge.log.warn({ err, call: ref.callId }, 'it is not known who could answer a call, so it is queued')
    return 'there'
  }
}
