import type { Tx } from '../../platform/db/database.ts'
import { publish } from '../../platform/pubsub.ts'
import { EDGE_CHANNEL, postCommand } from '../edges/index.ts'
import { deleteOffersTo, insertOffers, lockQueue, selectTransfersTo } from './queries.ts'

/**
 * Rings whoever is free for the caller who waited longest. The caller holds the queue's lock. Returns the employees
 * who ring from now on.
 */
export async function offerCallers(tx: Tx, companyId: string): Promise<string[]> {
  const offers = await insertOffers(tx, companyId)
  await tellEdges(tx, companyId, offers)
  return offers.map((offer) => offer.employee_id)
}

/** Nothing rings at the employee any more: they want no calls, or are gone. */
export async function withdrawOffers(tx: Tx, companyId: string, employeeId: string): Promise<void> {
  // Sent together, and done in this order.
  const [, offers] = await Promise.all([lockQueue(tx, companyId), deleteOffersTo(tx, companyId, employeeId)])
  await tellEdges(tx, companyId, offers)
  for (const { id: transferId, call_id: callId } of await selectTransfersTo(tx, companyId, employeeId))
    await postCommand(tx, { companyId, callId, command: { do: 'stop_ringing', transferId } })
}

async function tellEdges(
  tx: Tx,
  companyId: string,
  offers: { call_id: string; edge_id: string }[],
): Promise<void> {
  const texts = new Set(offers.map(({ edge_id, call_id }) => `${edge_id} offers ${companyId} ${call_id}`))
  for (const text of texts) await publish(tx, EDGE_CHANNEL, text)
}
