export { readCallData, recordCallEvent } from './events.ts'
export { type CallRecording, recordingStored } from './recordings.ts'
export { callRoutes } from './routes.ts'
export { callJobs, orderCallIndex } from './search-index.ts'
