import { stat } from 'node:fs/promises'

import { RECORDING_RATE } from '../../platform/audio/recording.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Engine } from '../../platform/engine/engine.ts'
import { arePackagesInstalled } from '../../platform/engine/package-folder.ts'
import type { Log } from '../../platform/log.ts'
import { RECOGNITION_LIMITS } from '../limits.ts'
import { SpeechFailed } from '../port.ts'
import type { Phrase, Recogniser } from '../recognition.ts'
import { MOONSHINE_PACKAGES, SILERO_PACKAGES } from './packages.ts'
import type { ListeningRequest } from './silero/program.ts'
import type { SpeechInterval } from './silero/speech-intervals.ts'
import { createSpeechEngine } from './speech-engine.ts'

const LANGUAGE = 'en'

interface Options {
  /** How many recordings are transcribed at once, each by a single-threaded process. */
  atOnce: number
  clock: Clock
  log: Log
}

/** Moonshine, which supports English only. */
export function createEmbeddedRecogniser({ atOnce, clock, log }: Options): Recogniser {
  const engines = createEngines<Phrase[][]>('moonshine', MOONSHINE_PACKAGES, { atOnce, clock, log })
  return {
    knows: (language) => language === LANGUAGE,
    async transcribe({ file, language }) {
      if (language !== LANGUAGE)
        throw new SpeechFailed('language', `The embedded engine does not support the language ${language}.`)
      return { channels: await engines.listen(file) }
    },
    close: engines.close,
  }
}

/** Finds the speech in a recording, for engines that invent words where nobody speaks. */
export interface VoiceActivityDetector {
  find(file: string): Promise<SpeechInterval[][]>
  close(): Promise<void>
}

export function createVoiceActivityDetector(options: Options): VoiceActivityDetector {
  const engines = createEngines<SpeechInterval[][]>('silero', SILERO_PACKAGES, options)
  return { find: engines.listen, close: engines.close }
}

/** Not worth a retry: an operator adds them, and has the failed transcriptions retried. */
const NOT_INSTALLED =
  'The speech engines are not installed: run `bellhop engines add speech`, then `bellhop transcripts retry`.'

const answerMsMax = ({ bytes }: ListeningRequest) =>
  (bytes / (2 * RECORDING_RATE)) * RECOGNITION_LIMITS.perSecondMsMax

function createEngines<Answer>(name: string, packages: string[], { atOnce, clock, log }: Options) {
  const make = () => createSpeechEngine<ListeningRequest, Answer>({ name, answerMsMax, clock, log })
  const engines = Array.from({ length: atOnce }, make)
  const idle: Engine<ListeningRequest, Answer>[] = [...engines]
  return {
    /** Uses an idle engine; if there is none, the first one queues the recording. */
    async listen(file: string): Promise<Answer> {
      if (!arePackagesInstalled(packages)) throw new SpeechFailed('language', NOT_INSTALLED)
      const engine = idle.pop() ?? engines[0]!
      try {
        return await engine.ask({ file, bytes: await sizeOf(file) })
      } finally {
        if (!idle.includes(engine)) idle.push(engine)
      }
    },
    async close() {
      await Promise.all(engines.map((engine) => engine.close()))
    },
  }
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size
  } catch (error) {
    throw new SpeechFailed('engine', `The recording cannot be read: ${String(error)}`)
  }
}
