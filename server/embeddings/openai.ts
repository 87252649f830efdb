import { Agent } from 'undici'
import { z } from 'zod'

import type { Clock } from '../platform/clock.ts'
import { parseJson } from '../platform/text/parse-json.ts'
import { EMBEDDING_ENDPOINT_LIMITS } from './limits.ts'
import { checkTexts, type Embedder, EMBEDDING_LIMITS, EmbeddingFailed, ofLengthOne } from './port.ts'

export interface OpenAiEmbeddings {
  /** The base URL, to which `/v1/embeddings` is appended. */
  url: string
  apiKey: string | undefined
  model: string
}

const Answer = z.object({
  data: z.array(
    z.object({
      index: z.int().min(0),
      embedding: z.array(z.number()).min(8).max(EMBEDDING_LIMITS.dimensionsMax),
    }),
  ),
})

/** Any OpenAI-compatible service, for whatever languages its model supports. */
export function createOpenAiEmbedder(options: OpenAiEmbeddings & { clock: Clock }): Embedder {
  const { url, apiKey, model, clock } = options
  const agent = new Agent({
    connections: EMBEDDING_ENDPOINT_LIMITS.connections,
    connect: { timeout: EMBEDDING_ENDPOINT_LIMITS.connectMs },
    maxResponseSize: EMBEDDING_ENDPOINT_LIMITS.answerBytes,
  })
  const target = new URL(`${url}/v1/embeddings`)
  return {
    model,
    understands: () => true,
    async embed(texts) {
      checkTexts(texts)
      const attempt = new AbortController()
      const callOff = clock.after(EMBEDDING_ENDPOINT_LIMITS.answerMs, () => attempt.abort())
      try {
        const answer = await agent.request({
          origin: target.origin,
          path: target.pathname,
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
          },
          body: JSON.stringify({ model, input: texts, encoding_format: 'float' }),
          signal: attempt.signal,
        })
        const text = await answer.body.text()
        if (answer.statusCode !== 200)
          throw new EmbeddingFailed(
            answer.statusCode === 429 ? 'busy' : 'engine',
            `The service responded with status ${answer.statusCode}.`,
          )
        return readVectors(text, texts.length)
      } catch (error) {
        if (error instanceof EmbeddingFailed) throw error
        if (attempt.signal.aborted) throw new EmbeddingFailed('timeout', 'The service took too long.')
        throw new EmbeddingFailed('engine', error instanceof Error ? error.message : String(error))
      } finally {
        callOff()
      }
    },
    close: () => agent.destroy(),
  }
}

/** One vector for each text, in their order. */
function readVectors(json: string, count: number): Float32Array[] {
  const parsed = Answer.safeParse(parseJson(json))
  if (!parsed.success) throw new EmbeddingFailed('engine', 'The answer has no vectors.')
  const byIndex = parsed.data.data.toSorted((a, b) => a.index - b.index)
  const [first] = byIndex
  const isWhole =
    byIndex.length === count &&
    byIndex.every(({ index, embedding }, i) => index === i && embedding.length === first!.embedding.length)
  if (!isWhole) throw new EmbeddingFailed('engine', 'The response does not have one vector for each text.')
  return byIndex.map(({ embedding }) => ofLengthOne(embedding))
}
