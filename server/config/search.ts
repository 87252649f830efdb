import { z } from 'zod'

import { baseAddress, type Environment, variables } from './variables.ts'

/** The engine that turns texts into vectors, for search by meaning. */
export const search = variables({
  EMBEDDINGS: [
    z.enum(['embedded', 'openai', 'off']).default('embedded'),
    'embedded, openai for an OpenAI-compatible service, or off to search by words only',
  ],
  EMBEDDINGS_URL: [
    baseAddress().optional(),
    'the address that /v1/embeddings is appended to, such as https://api.openai.com',
  ],
  EMBEDDINGS_MODEL: [z.string().max(200).optional(), 'the name of an embedding model'],
  EMBEDDINGS_API_KEY: [z.string().optional(), 'an API key of the embedding service'],
})

/** The key is optional: a service in the same network may need none. */
export function readSearch(environment: Environment) {
  const given = search.read(environment)
  const engine = given.EMBEDDINGS
  if (engine !== 'openai') return { embeddings: { engine } }
  const service = search.together(given, ['EMBEDDINGS_URL', 'EMBEDDINGS_MODEL'], 'EMBEDDINGS is openai')!
  return {
    embeddings: {
      engine,
      url: service.EMBEDDINGS_URL,
      model: service.EMBEDDINGS_MODEL,
      apiKey: given.EMBEDDINGS_API_KEY,
    },
  }
}
