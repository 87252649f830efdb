import { z } from 'zod'

import { baseAddress, type Environment, variables } from './variables.ts'

/** Who turns texts into vectors, to search by meaning. */
export const search = variables({
  EMBEDDINGS: [
    z.enum(['embedded', 'openai', 'off']).default('embedded'),
    'embedded, openai for a service that speaks as OpenAI does, or off to search by words alone',
  ],
  EMBEDDINGS_URL: [
    baseAddress().optional(),
    'the address that /v1/embeddings is appended to, such as https://api.openai.com',
  ],
  EMBEDDINGS_MODEL: [z.string().max(200).optional(), 'the name of a model that makes vectors of texts'],
  EMBEDDINGS_API_KEY: [z.string().optional(), 'an API key of the service that makes vectors of texts'],
})

/** A key is not asked for: a service in one's own network may need none. */
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
