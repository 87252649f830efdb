export { emailJobs } from './jobs.ts'
export { type EmailOrigin, requireEmailRate } from './rate-limits.ts'
