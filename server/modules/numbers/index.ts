export { openingTextOf, type StoredFlow } from './flow/call-flow.ts'
export {
  type CalledNumber,
  findNumberCalled,
  findOwnNumber,
  flowAt,
  readPrompt,
  speakStandIn,
} from './flow/called-number.ts'
export { type CallStep, planInboundCall } from './flow/call-plan.ts'
export { createNumberCache, type NumberCache } from './flow/number-cache.ts'
export { numberJobs } from './job-handlers.ts'
export { addNumber, setEmergencyCallerId, setRegistration, setRetired } from './numbers.ts'
export {
  hasNumbersSince,
  isNumberOf,
  numberToTry,
  selectNumbers as listNumberRows,
  selectNumberToTry as findNumberToTry,
  unchangedNumber,
} from './queries.ts'
export { numberRoutes } from './routes.ts'
export { createPromptCache, type PromptCache } from './prompts/prompt-cache.ts'
export type { CallerSound } from './walk-through/walk-through.ts'
export type { RecordingNotice } from './recording-notice/recording-notice-schemas.ts'
export {
  findRecordingAnnouncement,
  speakRecordingAnnouncement,
} from './recording-notice/announcement-audio.ts'
export {
  type AutoReply,
  findAutoReply,
  findNumberThatReceives,
  findTextingNumber,
  type TextingNumber,
} from './texting/texting.ts'
