import { publish } from '../../platform/db/pubsub.ts'
import { EDGE_CHANNEL, postCommand } from '../edges/index.ts'
import { deleteOffersTo } from './queries.ts'
import type { QueueTx } from './with-queue.ts'

/** Stops everything that rings the employee, who is busy, does not want to be disturbed, or is being deleted. */
export async function withdrawOffers(tx: QueueTx, companyId: string, employeeId: string): Promise<void> {
  const { offers, transfers, internal_calls } = await deleteOffersTo(tx, companyId, employeeId)
  await tellEdges(tx, companyId, offers)
  for (const { id: transferId, call_id: callId } of transfers)
    await postCommand(tx, { companyId, callId, command: { do: 'stop_ringing', transferId } })
  for (const { id, edge_id } of internal_calls)
    await publish(tx, EDGE_CHANNEL, `${edge_id} stop_ringing ${companyId} ${id}`)
}

/** Of the offers that they have, or no longer have. */
async function tellEdges(
  tx: QueueTx,
  companyId: string,
  offers: { call_id: string; edge_id: string }[],
): Promise<void> {
  const texts = new Set(offers.map(({ edge_id, call_id }) => `${edge_id} offers ${companyId} ${call_id}`))
  for (const text of texts) await publish(tx, EDGE_CHANNEL, text)
}
