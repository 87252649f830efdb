import { join } from 'node:path'

import type { Config } from '../config.ts'
import { callTranscripts } from '../modules/calls/index.ts'
import { createLocalCopies, createTranscriber, type Transcriber } from '../modules/transcripts/index.ts'
import { voicemailTranscripts } from '../modules/voicemails/index.ts'
import type { Dependencies } from '../platform/dependencies.ts'
import type { Storage } from '../providers/storage/port.ts'
import { byLanguage } from '../speech/by-language.ts'
import { createEmbeddedRecogniser, createVoiceActivityDetector } from '../speech/embedded/recogniser.ts'
import { createOpenAiRecogniser } from '../speech/openai/recogniser.ts'
import { createChatSummariser } from '../speech/openai/summariser.ts'
import type { Recogniser, Summariser } from '../speech/port.ts'
import { extractiveSummariser } from '../speech/summary/extractive.ts'
import { WIRING_LIMITS } from './limits.ts'

interface TranscriptionParts
  extends Dependencies<'db' | 'clock' | 'pause' | 'log'>, Partial<Dependencies<'tracer'>> {
  config: Config
  storage: Storage
}

/** Chooses the speech recogniser; undefined if transcription is off. */
export function openTranscription(parts: TranscriptionParts): Transcriber | undefined {
  const { config, db, clock, log, storage } = parts
  const { engine, atOnce } = config.transcription
  if (engine === 'off') return undefined
  const summariser = openSummariser(parts)
  const transcriber = createTranscriber({
    db,
    clock,
    log,
    copies: createLocalCopies({ storage, folder: join(config.dataDir, 'transcribing'), clock }),
    recogniser: openRecogniser(parts),
    kinds: {
      call: callTranscripts({ db, summariser }),
      voicemail: voicemailTranscripts({ db, summariser }),
    },
    atOnce,
    tracer: parts.tracer,
  })
  // Concurrently: running work must not wait for an endpoint either.
  const stop = async () => {
    await Promise.all([transcriber.stop(), summariser.close()])
  }
  return { ...transcriber, stop }
}

function openRecogniser({ config, clock, log }: TranscriptionParts): Recogniser {
  const { engine, atOnce, endpoint } = config.transcription
  const shared = { atOnce, clock, log }
  return byLanguage([
    ...(engine === 'embedded' ? [createEmbeddedRecogniser(shared)] : []),
    ...(endpoint
      ? [createOpenAiRecogniser({ endpoint, finder: createVoiceActivityDetector(shared), clock })]
      : []),
  ])
}

function openSummariser({ config, clock, pause, log }: TranscriptionParts): Summariser {
  if (!config.summary) return extractiveSummariser
  const endpoint = { ...config.summary, answerMs: WIRING_LIMITS.summaryAnswerMs }
  return createChatSummariser({ endpoint, simpler: extractiveSummariser, clock, pause, log })
}
