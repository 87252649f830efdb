export { callRoutes } from './routes.ts'
export { callJobs, orderCallIndex } from './search-index.ts'
