import { join } from 'node:path'

import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { packageRoot } from '../../platform/package-root.ts'
import { voiceOf } from '../languages.ts'
import { hasWords, SPEECH_LIMITS, type Speaker, SpeechFailed } from '../port.ts'
import { createEngine } from './engine.ts'

/**
 * The engines run as processes of their own, not as worker threads: a thread that is stopped while onnxruntime
 * computes aborts the whole process, and half of its memory never comes back.
 * They run from dist also where the rest runs from its sources, as in tests: `npm test` builds first.
 */
const program = (engine: string) => join(packageRoot, 'dist/server/speech/embedded', engine, 'program.js')

export function createEmbeddedSpeaker({ clock, log }: { clock: Clock; log: Log }): Speaker {
  const piper = createEngine({ name: 'piper', program: program('piper'), clock, log })
  const espeak = createEngine({ name: 'espeak', program: program('espeak'), clock, log })
  return {
    async speak({ text, language }) {
      const voice = voiceOf(language)
      if (!voice) throw new SpeechFailed('text', `No engine speaks the language ${language}.`)
      if (text.length > SPEECH_LIMITS.textCharsMax)
        throw new SpeechFailed('text', `The text is longer than ${SPEECH_LIMITS.textCharsMax} characters.`)
      if (!hasWords(text)) throw new SpeechFailed('text', 'The text has no word to speak.')
      return await (voice === 'en' ? piper : espeak).speak({ text, voice })
    },
    async close() {
      await Promise.all([piper.close(), espeak.close()])
    },
  }
}
