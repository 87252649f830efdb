/** The composition root: each role is wired by hand in its own file, which only a process with that role loads. */
export const loadApi = () => import('./roles/api.ts')
export const loadJobs = () => import('./roles/jobs.ts')
export const loadEdge = () => import('./roles/edge.ts')
/** An edge without an API beside it. */
export const loadEdgeHttp = () => import('./roles/edge-http.ts')
/** A worker without an API beside it. */
export const loadWorkerHttp = () => import('./roles/worker-http.ts')
/** Only if traces are to be sent somewhere. */
export const loadTracing = () => import('./platform/tracing/start-tracing.ts')
