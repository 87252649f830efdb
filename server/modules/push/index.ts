export { pushJobs } from './jobs.ts'
export { hasSubscription as hasBrowserToRing } from './queries.ts'
export { pushRoutes } from './routes.ts'
export { createPushSender } from './sender.ts'
