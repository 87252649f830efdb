export { isReachable, presentEmployee } from './employee-row.ts'
export { employeeColumns, type EmployeeRow } from './presence-queries.ts'
export { availabilityChanged, doNotDisturbChanged, endAccess } from './presence.ts'
export {
  deleteDeclined as forgetDecline,
  deleteQueueEntry as leaveQueue,
  isQueued,
  selectOfferedEmployees as offeredEmployees,
  updateDeclined as declineOffer,
  upsertQueueEntry as joinQueue,
} from './queries.ts'
export { withdrawOffers } from './queue.ts'
export { type QueueTx, withQueue, withQueues } from './with-queue.ts'
