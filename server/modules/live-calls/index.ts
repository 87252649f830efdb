export type { CallRef } from './call-ref.ts'
export { liveCallJobs, noVoicemailLeft } from './awaited-voicemail.ts'
export { answerCall, endCall, moveCall, openCall, placeCall, queueCall, unqueueCall } from './live-calls.ts'
export { endCallsOfEdge } from './lost-edge.ts'
export { countPlacedSince as countPlaced, selectLastNumberShown as lastNumberOf } from './queries.ts'
export { liveCallRoutes } from './routes.ts'
export { EdgeCommand } from './schemas.ts'
export {
  transferAnswered,
  transferBegun,
  transferCancelled,
  transferCompleted,
  transferFailed,
  type TransferRef,
} from './transfer-states.ts'
export { type AskEdge, openTransfer } from './transfers.ts'
