import type { Phrase } from '../../recognition.ts'
import type { Guess } from './model.ts'

/** Of what people say in English 96 % is above, of what they say in other languages 3 %. */
const LOG_PROBABILITY_MIN = -0.35

export interface Guessed extends Guess {
  startMs: number
  endMs: number
}

/**
 * The model makes fluent false English of every language, but it is less sure of it. Whoever speaks another language
 * is less sure all along, so a lucky phrase is not taken for English either.
 */
export function understood(guesses: Guessed[]): Phrase[] {
  const tokens = guesses.reduce((sum, guess) => sum + guess.tokens, 0)
  const mean = guesses.reduce((sum, guess) => sum + guess.logProbability * guess.tokens, 0) / tokens
  if (mean < LOG_PROBABILITY_MIN) return []
  return guesses
    .filter(({ text, logProbability }) => text !== '' && logProbability >= LOG_PROBABILITY_MIN)
    .map(({ startMs, endMs, text }) => ({ startMs, endMs, text }))
}
