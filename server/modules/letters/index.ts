export { letterJobs } from './jobs.ts'
export { requireLetterPace, type Sender } from './paces.ts'
