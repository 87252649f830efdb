import { z } from 'zod'

import { baseAddress, type Environment, variables, wholeNumber } from './variables.ts'

const TRANSCRIPTION_ENGINES = ['embedded', 'openai', 'off'] as const

/** The speech recogniser, and the endpoint for summaries. */
export const transcripts = variables({
  TRANSCRIPTION_ENGINE: [
    z.enum(TRANSCRIPTION_ENGINES).default('embedded'),
    `one of ${TRANSCRIPTION_ENGINES.join(', ')}`,
  ],
  TRANSCRIPTION_AT_ONCE: [wholeNumber(1, 16).default(1), 'a number of recordings from 1 to 16'],
  TRANSCRIPTION_URL: [
    baseAddress().optional(),
    'the address of an OpenAI-compatible transcription endpoint, such as https://api.openai.com/v1',
  ],
  TRANSCRIPTION_API_KEY: [z.string().optional(), 'an API key of the endpoint'],
  TRANSCRIPTION_MODEL: [z.string().default('whisper-1'), 'the name of a model of the endpoint'],
  TRANSCRIPTION_TIMEOUT_SECONDS: [wholeNumber(1, 3600).default(300), 'a number of seconds from 1 to 3600'],
  SUMMARY_URL: [
    baseAddress().optional(),
    'the address of an OpenAI-compatible chat endpoint, such as https://api.openai.com/v1',
  ],
  SUMMARY_API_KEY: [z.string().optional(), 'an API key of the endpoint'],
  SUMMARY_MODEL: [z.string().optional(), 'the name of a model of the endpoint'],
})

type Given = ReturnType<typeof transcripts.read>

/** Keys are optional: a service in the same network may need none. */
export function readTranscripts(environment: Environment) {
  const given = transcripts.read(environment)
  return { transcription: transcription(given), summary: summary(given) }
}

/** Beside the embedded engine, an endpoint handles the languages that it does not support. */
function transcription(given: Given) {
  const engine = given.TRANSCRIPTION_ENGINE
  const wanted = engine === 'openai' ? 'TRANSCRIPTION_ENGINE is openai' : undefined
  const endpoint = transcripts.together(given, ['TRANSCRIPTION_URL'], wanted)
  return {
    engine,
    atOnce: given.TRANSCRIPTION_AT_ONCE,
    endpoint: endpoint && {
      url: endpoint.TRANSCRIPTION_URL,
      apiKey: given.TRANSCRIPTION_API_KEY,
      model: given.TRANSCRIPTION_MODEL,
      answerMs: given.TRANSCRIPTION_TIMEOUT_SECONDS * 1000,
    },
  }
}

function summary(given: Given) {
  const endpoint = transcripts.together(given, ['SUMMARY_URL', 'SUMMARY_MODEL'])
  return (
    endpoint && {
      url: endpoint.SUMMARY_URL,
      model: endpoint.SUMMARY_MODEL,
      apiKey: given.SUMMARY_API_KEY,
    }
  )
}
