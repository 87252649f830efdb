export {
  answerInternalCall,
  endInternalCall,
  internalCallPickedUp,
  startInternalCall,
} from './internal/internal-calls.ts'
export {
  countInternalSince as countInternalCalls,
  selectInternalCallOf as findInternalCallOf,
} from './internal/internal-queries.ts'
export { callJobs } from './jobs.ts'
export { ruleOutVoicemail } from './live/awaited-voicemail.ts'
export type { CallRef } from './live/call-ref.ts'
export { dialogsOf } from './live/dialogs.ts'
export {
  answerCall,
  endCall,
  enterInbox,
  NumberChanged,
  queueCall,
  setCallState,
  startInboundCall,
  startOutboundCall,
  unqueueCall,
} from './live/live-calls.ts'
export {
  companiesCallingAt,
  endCallsOfEdge,
  endStartedCall,
  endStartedInternalCall,
} from './live/lost-edge.ts'
export {
  countCallsOfEdge,
  countPlacedSince as countPlaced,
  holdForVoicemail,
  type ListedCall,
  listLiveCalls,
  selectActiveCall as findActiveCall,
  selectLastNumberShown as lastNumberOf,
} from './live/queries.ts'
export { openParking } from './parking/parking.ts'
export {
  callNotParkedAtAll,
  callParked,
  parkedCallNotTaken,
  parkedCallTaken,
  ringForParkedCall,
} from './parking/parking-states.ts'
export { selectCallInSlot as findCallInSlot } from './parking/queries.ts'
export { PARKING_SLOTS } from './parking/schemas.ts'
export { claimQueuedCall, type QueuedCallClaim, releaseQueuedCall } from './pickup/pickup.ts'
export { selectRingingCall as findRingingCall } from './pickup/queries.ts'
export { type PastCall, storePastCall } from './record/past-calls.ts'
export { readCallData, recordCallEvent } from './record/events.ts'
export {
  clearVoicemailSummary,
  hasTakenCalls,
  selectCall as findCall,
  updateSummary as summariseCall,
} from './record/queries.ts'
export { type CallRecording, recordingStored } from './record/recordings.ts'
export { callTranscripts } from './record/transcript.ts'
export type { AnsweredCall } from './live/step-queries.ts'
export { recordingStateChanged } from './recording-control/recording-control.ts'
export type { LiveRecordingState } from './recording-control/schemas.ts'
export { callRoutes } from './routes.ts'
export { presentWrapUp, wrapUpColumns, type WrapUpRow } from './wrap-up/queries.ts'
export { WrapUp } from './wrap-up/schemas.ts'
export { CALL_STATES, DIRECTIONS } from './schemas.ts'
export { enqueueCallIndex, indexCallContext } from './search/search-index.ts'
export { openAttendedTransfer } from './transfers/attended.ts'
export {
  openOutsideTransfer,
  outsideTransferCompleted,
  outsideTransferFailed,
  type OutsideTransferRef,
} from './transfers/outside.ts'
export { EdgeCommand } from './transfers/schemas.ts'
export {
  conferenceBegun,
  transferAnswered,
  transferBegun,
  transferCancelled,
  transferCompleted,
  transferFailed,
  transferPickedUp,
  type TransferRef,
} from './transfers/transfer-states.ts'
export { openTransfer, type RunEdgeCommand } from './transfers/transfers.ts'
