export { readCallData, recordCallEvent } from './events.ts'
export { callRoutes } from './routes.ts'
export { callJobs, orderCallIndex } from './search-index.ts'
