import { endCall } from '../../modules/calls/index.ts'
import { inBackground } from '../../platform/background.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { ControlParts, CustomerCall } from './customer-call.ts'

/** Ends the call whatever happens: for its participants, and in the database. */
export async function runToEnd(
  { edge, store, writeAtLast }: ControlParts,
  { ref, customer, direction, progress, span }: CustomerCall,
  run: () => Promise<string>,
): Promise<void> {
  let endedAt: Date | undefined
  inBackground(
    edge.log,
    'record when the customer hung up',
    customer.ended.then(() => (endedAt ??= edge.clock.now())),
  )
  let reason = 'failed'
  try {
    reason = await run()
  } catch (err) {
    edge.log.error({ err, call: ref.callId }, 'a call failed and was ended')
    span?.fail('an error ended the call')
  }
  endedAt ??= edge.clock.now()
  customer.hangUp()
  edge.metrics.callsEnded.inc({ direction, answered: String(progress.isAnswered), outcome: reason })
  const at = endedAt
  const end = (tx: Tx) => endCall(tx, ref, { at, reason, wasAnswered: progress.isAnswered })
  await store(end, 'step').catch((err: unknown) => {
    edge.log.error({ err, call: ref.callId }, 'the end of a call could not be stored')
    return writeAtLast(end)
  })
  span?.set({ 'bellhop.outcome': reason, 'bellhop.call.answered': progress.isAnswered })
  span?.end()
}
