import type { JobHandler } from '../../platform/jobs/job.ts'
import { voicemailJobs } from './live/awaited-voicemail.ts'
import { type EmbeddingJobParts, embeddingJobs } from './meanings/embed-calls.ts'
import { indexJobs } from './search/search-index.ts'

export const callJobs = (parts: EmbeddingJobParts): JobHandler[] => [
  ...indexJobs(parts),
  ...embeddingJobs(parts),
  ...voicemailJobs(parts),
]
