import { endCall } from '../../modules/calls/index.ts'
import { inBackground } from '../../platform/background.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { ControlParts, CustomerCall } from './customer-call.ts'

/** Ends the call whatever happens: for its participants, and in the database. */
export async function runToEnd(
  { exchange, store, writeAtLast }: ControlParts,
  { ref, customer }: CustomerCall,
  run: () => Promise<string>,
): Promise<void> {
  let endedAt: Date | undefined
  inBackground(
    exchange.log,
    'record when the customer hung up',
    customer.ended.then(() => (endedAt ??= exchange.clock.now())),
  )
  let reason = 'failed'
  try {
    reason = await run()
  } catch (err) {
    exchange.log.error({ err, call: ref.callId }, 'a call failed and was ended')
  }
  endedAt ??= exchange.clock.now()
  customer.hangUp()
  const at = endedAt
  const end = (tx: Tx) => endCall(tx, ref, at, reason)
  await store(end).catch((err: unknown) => {
    exchange.log.error({ err, call: ref.callId }, 'the end of a call could not be stored')
    return writeAtLast(end)
  })
}
