import { type Recogniser, SpeechFailed } from './port.ts'

/** Uses the first engine that supports the language. */
export function byLanguage(engines: Recogniser[]): Recogniser {
  const engineFor = (language: string) => engines.find((engine) => engine.knows(language))
  return {
    knows: (language) => engineFor(language) !== undefined,
    async transcribe(recording) {
      const engine = engineFor(recording.language)
      if (!engine) throw new SpeechFailed('language', `No engine here knows ${recording.language}.`)
      return await engine.transcribe(recording)
    },
    async close() {
      for (const engine of engines) await engine.close()
    },
  }
}
