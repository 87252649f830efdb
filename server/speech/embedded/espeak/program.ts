/**
 * Runs as its own process, on purpose: espeak-ng is under the GPL, version 3, and so is this program when combined
 * with it. No other file imports this one; engine.ts talks to it as to any other process.
 */
import load from '@echogarden/espeak-ng-emscripten'

import { serve } from '../../../platform/engine/program.ts'
import { plainText } from '../plain-text.ts'
import { synthesiseWith } from '../synthesis.ts'

/** Slower than espeak-ng's default of 175: a caller hears it once, over a telephone. */
const WORDS_PER_MINUTE = 150

const espeak = load().then(({ eSpeakNGWorker }) => new eSpeakNGWorker())

const speak = synthesiseWith(async ({ text, voice }, sound) => {
  const speaker = await espeak
  if (speaker.set_voice(voice) !== 0) throw new Error(`espeak-ng has no voice ${voice}.`)
  speaker.set_rate(WORDS_PER_MINUTE)
  speaker.synthesize(withoutMarkup(plainText(text)), (samples) => {
    if (samples) sound.add(toFloats(samples))
    return sound.full
  })
})

serve(speak)

/** A loop, because `Float32Array.from` is ten times slower and would take a third of the total time. */
function toFloats(samples: Int16Array): Float32Array {
  const floats = new Float32Array(samples.length)
  for (let i = 0; i < samples.length; i++) floats[i] = samples[i]! / 32_768
  return floats
}

/** espeak-ng would interpret SSML, and phonemes in double brackets. */
function withoutMarkup(text: string): string {
  return text
    .replace(/[<>]/g, ' ')
    .replaceAll('&', '&amp;')
    .replace(/\[(?=\[)/g, '[ ')
}
