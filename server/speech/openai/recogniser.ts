import { FormData } from 'undici'
import { z } from 'zod'

import type { Clock } from '../../platform/clock.ts'
import type { VoiceActivityDetector } from '../embedded/recogniser.ts'
import type { SpeechInterval } from '../embedded/silero/speech-intervals.ts'
import { SPEECH_ENDPOINT_LIMITS } from '../limits.ts'
import { SpeechFailed } from '../port.ts'
import type { Phrase, Recogniser } from '../recognition.ts'
import { openRecording, type RecordingFile } from '../recording-file.ts'
import { type Batch, batchesOf, positionIn, wavOfBatch } from './batches.ts'
import { createOpenAiClient, type OpenAiClient, type OpenAiEndpoint } from './client.ts'

/** Languages for which such endpoints use another code. */
const CODES: Readonly<Record<string, string>> = { cmn: 'zh', nb: 'no' }

const Text = z.string().max(SPEECH_ENDPOINT_LIMITS.textCharacters)
const Answer = z.object({
  text: Text,
  segments: z
    .array(z.object({ start: z.number().min(0), text: Text }))
    .max(SPEECH_ENDPOINT_LIMITS.segments)
    .optional(),
})

interface Options {
  endpoint: OpenAiEndpoint
  /** Such engines invent words where nobody speaks, so they get only speech. */
  finder: VoiceActivityDetector
  clock: Clock
}

/** Any OpenAI-compatible transcription endpoint. It rejects languages that it does not support by itself. */
export function createOpenAiRecogniser({ endpoint, finder, clock }: Options): Recogniser {
  const line = createOpenAiClient(endpoint, clock)
  return {
    knows: () => true,
    async transcribe({ file, language }) {
      const passages = await finder.find(file)
      const recording = await openRecording(file)
      try {
        const channels: Phrase[][] = []
        for (const [channel, found] of passages.entries())
          channels.push(await transcribeChannel({ line, endpoint, recording, language }, channel, found))
        return { channels }
      } finally {
        await recording.close()
      }
    },
    async close() {
      await line.close()
      await finder.close()
    },
  }
}

interface RecognitionRun {
  line: OpenAiClient
  endpoint: OpenAiEndpoint
  recording: RecordingFile
  language: string
}

async function transcribeChannel(
  session: RecognitionRun,
  channel: number,
  passages: SpeechInterval[],
): Promise<Phrase[]> {
  const phrases: Phrase[] = []
  for (const batch of batchesOf(passages)) {
    const wav = await wavOfBatch(session.recording, channel, batch)
    phrases.push(...readAnswer(await send(session, wav), batch))
  }
  return phrases
}

function send({ line, endpoint, language }: RecognitionRun, wav: Buffer): Promise<unknown> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(wav)], { type: 'audio/wav' }), 'recording.wav')
  form.set('model', endpoint.model)
  form.set('language', CODES[language] ?? language)
  form.set('response_format', 'verbose_json')
  return line.ask('/audio/transcriptions', { body: form })
}

function readAnswer(answer: unknown, batch: Batch): Phrase[] {
  const read = Answer.safeParse(answer)
  if (!read.success) throw new SpeechFailed('engine', 'The response of the endpoint is not a transcription.')
  const { text, segments = [] } = read.data
  const heard = segments.length > 0 ? segments : [{ start: 0, text }]
  return heard
    .map((segment) => positionIn(batch, { startMs: segment.start * 1_000, text: segment.text.trim() }))
    .filter((phrase) => phrase.text !== '')
}
