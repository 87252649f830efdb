export { isReachable, presentEmployee } from './employee-row.ts'
export {
  employeeColumns,
  type EmployeeRow,
  namingFreed,
  publishingOnCall,
  offerAndPublishStatus as settleAvailability,
} from './presence-queries.ts'
export {
  availabilityChanged,
  doNotDisturbChanged,
  endAccess,
  publishAvailability,
  updateAvailability,
} from './presence.ts'
export {
  deleteDeclined as forgetDecline,
  deleteOffer as retractOffer,
  deleteQueueEntry as leavingQueue,
  deleteQueueEntryAlone as leavingQueueAlone,
  isAwaited,
  isOfferedToOthers,
  isQueued,
  isStillQueued,
  ringsElsewhere,
  type Offer,
  type QueueEntry,
  selectAwaitedEmployees as awaitedEmployees,
  selectCallsToPickUp as findCallsToPickUp,
  selectOfferedEmployees as offeredEmployees,
  selectOffersTo as offersTo,
  selectQueuePositions as queuePositions,
  updateDeclined as declineOffer,
  upsertOffer as offerOnRequest,
  upsertQueueEntry as joiningQueue,
} from './queries.ts'
export { withdrawOffers } from './queue.ts'
export { type QueueTx, withQueue, withQueues } from './with-queue.ts'
