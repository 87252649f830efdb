export { isReachable, presentEmployee } from './employee-row.ts'
export { employeeColumns, type EmployeeRow } from './presence-queries.ts'
export { availabilityChanged, doNotDisturbChanged, endAccess } from './presence.ts'
export {
  deleteDeclined as forgetDecline,
  deleteWaiting as leaveQueue,
  isWaiting,
  selectRinging as ringingEmployees,
  updateDeclined as declineOffer,
  upsertWaiting as joinQueue,
} from './queries.ts'
export { withdrawOffers } from './queue.ts'
export { type QueueTx, withQueue, withQueues } from './with-queue.ts'
