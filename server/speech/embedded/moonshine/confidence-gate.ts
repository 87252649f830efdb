import type { Phrase } from '../../recognition.ts'
import type { Hypothesis } from './model.ts'

/** 96 % of English speech is above, and 3 % of speech in other languages. */
const LOG_PROBABILITY_MIN = -0.35

export interface TimedHypothesis extends Hypothesis {
  startMs: number
  endMs: number
}

/**
 * For speech in any language the model produces fluent but false English, with a lower probability. A speaker of
 * another language has low probabilities throughout, so a single lucky phrase is not taken for English.
 */
export function acceptConfident(guesses: TimedHypothesis[]): Phrase[] {
  const tokens = guesses.reduce((sum, guess) => sum + guess.tokens, 0)
  const mean = guesses.reduce((sum, guess) => sum + guess.logProbability * guess.tokens, 0) / tokens
  if (mean < LOG_PROBABILITY_MIN) return []
  return guesses
    .filter(({ text, logProbability }) => text !== '' && logProbability >= LOG_PROBABILITY_MIN)
    .map(({ startMs, endMs, text }) => ({ startMs, endMs, text }))
}
