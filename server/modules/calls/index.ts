export { readCallData, recordCallEvent } from './events.ts'
export { callRoutes } from './routes.ts'
