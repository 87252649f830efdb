export {
  deleteDeclined as forgetDecline,
  deleteWaiting as leaveQueue,
  isWaiting,
  selectRinging as ringingEmployees,
  updateDeclined as declineOffer,
  upsertWaiting as joinQueue,
} from './queries.ts'
export { offerCallers, withdrawOffers } from './queue.ts'
export { type QueueTx, withQueue, withQueues } from './with-queue.ts'
