import { publish } from '../../platform/db/pubsub.ts'
import { EDGE_CHANNEL, postCommand } from '../edges/index.ts'
import { deleteOffersTo, insertOffers, selectInternalCallsTo, selectTransfersTo } from './queries.ts'
import type { QueueTx } from './with-queue.ts'

/** Offers available employees to the callers who have waited longest. Returns the employees who now ring. */
export async function offerCallers(tx: QueueTx, companyId: string): Promise<string[]> {
  const offers = await insertOffers(tx, companyId)
  await tellEdges(tx, companyId, offers)
  return offers.map((offer) => offer.employee_id)
}

/** Stops everything that rings the employee, who is busy, does not want to be disturbed, or is being deleted. */
export async function withdrawOffers(tx: QueueTx, companyId: string, employeeId: string): Promise<void> {
  await tellEdges(tx, companyId, await deleteOffersTo(tx, companyId, employeeId))
  for (const { id: transferId, call_id: callId } of await selectTransfersTo(tx, companyId, employeeId))
    await postCommand(tx, { companyId, callId, command: { do: 'stop_ringing', transferId } })
  for (const { id, edge_id } of await selectInternalCallsTo(tx, companyId, employeeId))
    await publish(tx, EDGE_CHANNEL, `${edge_id} stop_ringing ${companyId} ${id}`)
}

async function tellEdges(
  tx: QueueTx,
  companyId: string,
  offers: { call_id: string; edge_id: string }[],
): Promise<void> {
  const texts = new Set(offers.map(({ edge_id, call_id }) => `${edge_id} offers ${companyId} ${call_id}`))
  for (const text of texts) await publish(tx, EDGE_CHANNEL, text)
}
