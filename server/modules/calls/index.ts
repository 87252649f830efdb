export { readCallData, recordCallEvent } from './events.ts'
export { callRoutes } from './routes.ts'
export { callJobs, orderCallIndex, saveCallContextWords } from './search-index.ts'
