import { CustomerGone } from '../call/customer-call.ts'
import { isAnybodyThere } from '../ring/anybody-there.ts'
import { announceRecording } from '../sound/recording-announcement.ts'
import { type FlowCall, type FlowEnd, requireCaller } from './flow-call.ts'

/** Queues the caller until one of the employees answers, or the time is up, which it is at once if nobody is there. */
export async function runTransferStep(
  call: FlowCall,
  employeeIds: string[],
  timeoutMs: number | null,
): Promise<FlowEnd> {
  const { parts } = call
  if (timeoutMs !== null && !(await isWorthWaiting(call, employeeIds))) return 'no_answer'
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

/** Also if the database cannot say: the caller is then queued as soon as it can. */
async function isWorthWaiting({ parts: { edge }, ref }: FlowCall, employeeIds: string[]): Promise<boolean> {
  try {
    return await isAnybodyThere(edge, ref.companyId, employeeIds)
  } catch (err) {
    edge.log.warn({ err, call: ref.callId }, 'it is not known who could answer a call, so it is queued')
    return true
  }
}
