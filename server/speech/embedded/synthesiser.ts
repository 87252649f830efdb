import type { Clock } from '../../platform/clock.ts'
import { arePackagesInstalled } from '../../platform/engine/package-folder.ts'
import type { Log } from '../../platform/log.ts'
import { voiceOf } from '../languages.ts'
import { hasWords, SPEECH_LIMITS, SpeechFailed, type Synthesiser } from '../port.ts'
import { PIPER_PACKAGES } from './packages.ts'
import { createSpeechEngine } from './speech-engine.ts'
import type { SpeakingRequest } from './synthesis.ts'

const answerMsMax = ({ text }: SpeakingRequest) => text.length * SPEECH_LIMITS.perCharMsMax

export function createEmbeddedSynthesiser({ clock, log }: { clock: Clock; log: Log }): Synthesiser {
  const engine = (name: string) =>
    createSpeechEngine<SpeakingRequest, Uint8Array>({ name, answerMsMax, clock, log })
  const piper = engine('piper')
  const espeak = engine('espeak')
  // Without Piper, espeak-ng speaks English as well: it sounds like a machine, but callers are told what they need.
  const engineOf = (voice: string) =>
    voice === 'en' && arePackagesInstalled(PIPER_PACKAGES) ? piper : espeak
  return {
    async speak({ text, language }) {
      const voice = voiceOf(language)
      if (!voice) throw new SpeechFailed('text', `No engine supports the language ${language}.`)
      if (text.length > SPEECH_LIMITS.textCharsMax)
        throw new SpeechFailed('text', `The text is longer than ${SPEECH_LIMITS.textCharsMax} characters.`)
      if (!hasWords(text)) throw new SpeechFailed('text', 'The text has no words.')
      const wav = await engineOf(voice).ask({ text, voice })
      return Buffer.from(wav.buffer, wav.byteOffset, wav.byteLength)
    },
    prepare(language) {
      const voice = voiceOf(language)
      if (voice) engineOf(voice).prepare()
    },
    async close() {
      await Promise.all([piper.close(), espeak.close()])
    },
  }
}
