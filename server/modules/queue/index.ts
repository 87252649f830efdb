export {
  deleteDeclined as forgetDecline,
  deleteWaiting as leaveQueue,
  isWaiting,
  lockQueue,
  selectRinging as ringingEmployees,
  updateDeclined as declineOffer,
  upsertWaiting as joinQueue,
} from './queries.ts'
export { offerCallers, withdrawOffers } from './queue.ts'
