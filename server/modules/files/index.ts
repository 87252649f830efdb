export { fileJobs, removeFile } from './jobs.ts'
export { createFileLinks, type FileLinks } from './links.ts'
