/** The composition root: each role of a process is wired by hand in its own file. */
export { startApi } from './roles/api.ts'
export { serveEdge } from './roles/edge-http.ts'
export { startEdge } from './roles/edge.ts'
export { startJobs, wireJobs } from './roles/jobs.ts'
export { serveWorker } from './roles/worker-http.ts'
export { declareRoutes } from './roles/routes.ts'
export type { Addresses, RoleParts } from './roles/shared.ts'
