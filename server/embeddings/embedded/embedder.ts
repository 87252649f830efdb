import type { Clock } from '../../platform/clock.ts'
import { createEngine } from '../../platform/engine/engine.ts'
import type { Log } from '../../platform/log.ts'
import {
  checkTexts,
  type Embedder,
  EMBEDDING_LIMITS,
  EmbeddingFailed,
  type EmbeddingFailure,
  ofLengthOne,
} from '../port.ts'
import type { EmbeddingRequest } from './program.ts'

/** The Universal Sentence Encoder, lite, in English. */
export function createEmbeddedEmbedder({ clock, log }: { clock: Clock; log: Log }): Embedder {
  const engine = createEngine<EmbeddingRequest, number[][], EmbeddingFailure>({
    name: 'embeddings',
    program: 'embeddings/embedded',
    limits: EMBEDDING_LIMITS,
    answerMsMax: ({ texts }) => texts.length * EMBEDDING_LIMITS.perTextMsMax,
    failure: (why, message) => new EmbeddingFailed(why, message),
    clock,
    log,
  })
  return {
    model: 'universal-sentence-encoder-lite-en',
    understands: (language) => language === 'en',
    async embed(texts) {
      checkTexts(texts)
      const vectors = await engine.ask({ texts })
      return vectors.map(ofLengthOne)
    },
    close: engine.close,
  }
}
