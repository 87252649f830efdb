import type { Clock } from '../../platform/clock.ts'
import { createEngine, type Engine } from '../../platform/engine/engine.ts'
import type { Log } from '../../platform/log.ts'
import { SPEECH_LIMITS, SpeechFailed, type SpeechFailure } from '../port.ts'

interface Options<Request> {
  /** Name of a folder beside this file. */
  name: string
  answerMsMax: (request: Request) => number
  clock: Clock
  log: Log
}

/** Rejects with SpeechFailed only. */
export function createSpeechEngine<Request extends object, Answer>(
  options: Options<Request>,
): Engine<Request, Answer> {
  return createEngine<Request, Answer, SpeechFailure>({
    ...options,
    program: `speech/embedded/${options.name}`,
    limits: SPEECH_LIMITS,
    failure: (why, message) => new SpeechFailed(why, message),
  })
}
