import { serve } from '../../../platform/engine/program.ts'
import { plainText } from '../plain-text.ts'
import { synthesiseWith } from '../synthesis.ts'
import { SPEECH_SAMPLE_RATE } from '../wav.ts'
import { pronounce } from './english/pronounce.ts'
import { spokenText } from './english/spoken-text.ts'
import { loadVoice } from './voice.ts'

const PAUSE_BETWEEN_SENTENCES = new Float32Array(Math.round(SPEECH_SAMPLE_RATE * 0.25))
/** The model's memory grows with the square of its input. */
const PHONEMES_AT_ONCE_MAX = 200

const voice = loadVoice()

const speakText = synthesiseWith(async ({ text }, sound) => {
  const speak = await voice
  for (const sentence of spokenText(plainText(text)).match(/[^.!?]+[.!?]*/g) ?? []) {
    for (const phonemes of pieces(pronounce(sentence))) {
      sound.add(await speak(phonemes))
      if (sound.full) return
    }
    sound.add(PAUSE_BETWEEN_SENTENCES)
  }
})

serve(speakText)

/** Splits a long sentence at a comma if possible, else between words. */
function pieces(sentence: string): string[] {
  const pieces: string[] = []
  let rest = sentence
  while (rest.length > PHONEMES_AT_ONCE_MAX) {
    const head = rest.slice(0, PHONEMES_AT_ONCE_MAX)
    const comma = Math.max(head.lastIndexOf(','), head.lastIndexOf(';'), head.lastIndexOf(':'))
    const space = head.lastIndexOf(' ')
    const cut = comma > PHONEMES_AT_ONCE_MAX / 3 ? comma + 1 : space > 0 ? space : PHONEMES_AT_ONCE_MAX
    pieces.push(rest.slice(0, cut))
    rest = rest.slice(cut).trimStart()
  }
  return rest ? [...pieces, rest] : pieces
}
