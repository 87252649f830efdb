import type { Embedder } from '../../embeddings/port.ts'
import type { Database } from '../../platform/db/database.ts'
import type { JobHandler } from '../../platform/jobs/job.ts'
import { voicemailJobs } from './live/awaited-voicemail.ts'
import { embeddingJobs } from './meanings/embed-calls.ts'
import { indexJobs } from './search/search-index.ts'

export const callJobs = (parts: { db: Database; embedder: Embedder | undefined }): JobHandler[] => [
  ...indexJobs(parts),
  ...embeddingJobs(parts),
  ...voicemailJobs(parts),
]
