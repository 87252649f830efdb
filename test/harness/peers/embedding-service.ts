import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterFile } from '../after-file.ts'

export interface EmbeddingService {
  url: string
  asked: { authorization: string | undefined; model: string; input: string[] }[]
  /** The next responses, instead of vectors; undefined for vectors again. */
  answerWith(answer: 'nothing' | { status: number; body: string } | undefined): void
}

/** Words that the service considers synonyms. */
const TOPICS = [
  ['refund', 'penge', 'money'],
  ['table', 'bord', 'plads'],
  ['pakke', 'parcel', 'levering'],
]

const DIMENSIONS = 64

/** A service with the API of OpenAI's `/v1/embeddings`, which knows a few words in two languages. */
export async function startEmbeddingService(): Promise<EmbeddingService> {
  const asked: EmbeddingService['asked'] = []
  let instead: 'nothing' | { status: number; body: string } | undefined
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { model, input } = JSON.parse(Buffer.concat(chunks).toString()) as {
        model: string
        input: string[]
      }
      asked.push({ authorization: request.headers.authorization, model, input })
      if (instead === 'nothing') return
      response.writeHead(instead?.status ?? 200, { 'content-type': 'application/json' })
      response.end(instead?.body ?? JSON.stringify({ data: input.map(vectorOf).toReversed() }))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterFile(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answerWith: (answer) => {
      instead = answer
    },
  }
}

function vectorOf(text: string, index: number) {
  const embedding = Array.from({ length: DIMENSIONS }, () => 0)
  TOPICS.forEach((words, topic) => {
    if (words.some((word) => text.toLowerCase().includes(word)))
      embedding.fill(1, topic * 16, topic * 16 + 16)
  })
  embedding.fill(0.1, DIMENSIONS - 8)
  return { index, embedding }
}
