import { SUMMARY_LIMITS } from '../limits.ts'
import type { Summariser, SummaryInput, Turn } from '../summary.ts'
import { type Cues, cuesOf } from './cues.ts'

interface Sentence extends Pick<Turn, 'speaker' | 'ours'> {
  text: string
  /** From 0 at the beginning of the conversation to 1 at its end. */
  at: number
}

const WEIGHTS = { length: 1, cue: 0.5, time: 0.3, early: 0.4, late: 0.3 }

/** Quotes two sentences: what the conversation was about, and a commitment. */
export const extractiveSummariser: Summariser = {
  async summarise(conversation) {
    return summarise(conversation)
  },
  async close() {},
}

export function summarise(conversation: SummaryInput): string | null {
  const sentences = sentencesOf(conversation.turns)
  const cues = cuesOf(conversation.language)
  const topic = best(sentences, (sentence) => topicScore(sentence, cues))
  if (!topic) return null
  const promise = cues && best(sentences, (sentence) => promiseScore(sentence, cues))
  const frame = FRAMES[conversation.language] ?? WORDLESS
  const about = frame.topic(conversation, topic)
  if (!promise || promise === topic) return about
  return `${about} ${frame.promise(promise.speaker, quote(promise.text))}`
}

function sentencesOf(turns: Turn[]): Sentence[] {
  const sentences = turns.flatMap(({ speaker, ours, text }) =>
    (text.match(/[^.!?]+[.!?]*/g) ?? []).map((part) => ({ speaker, ours, text: part.trim() })),
  )
  const last = Math.max(1, sentences.length - 1)
  return sentences.map(({ speaker, ours, text }, i) => ({ speaker, ours, text, at: i / last }))
}

/** Undefined if no sentence has a score. */
function best(
  sentences: Sentence[],
  score: (sentence: Sentence) => number | undefined,
): Sentence | undefined {
  let found: { sentence: Sentence; score: number } | undefined
  for (const sentence of sentences) {
    const value = score(sentence)
    if (value !== undefined && (!found || value > found.score)) found = { sentence, score: value }
  }
  return found?.sentence
}

/** The customer states the topic, mostly early. */
function topicScore({ text, ours, at }: Sentence, cues: Cues | undefined): number | undefined {
  const words = wordsIn(cues ? text.replace(cues.pleasantry, ' ') : text)
  if (words < SUMMARY_LIMITS.wordsMin) return undefined
  const found = cues ? Math.min(SUMMARY_LIMITS.cuesCounted, matches(text, cues.topic)) : 0
  return lengthScore(words) + WEIGHTS.cue * found + WEIGHTS.early * (1 - at) - (ours ? 1 : 0)
}

/** Commitments of employees count more than those of the customer. */
function promiseScore({ text, ours, at }: Sentence, cues: Cues): number | undefined {
  const words = wordsIn(text.replace(cues.pleasantry, ' '))
  if (matches(text, cues.promise) === 0 || words < SUMMARY_LIMITS.wordsMin || text.endsWith('?'))
    return undefined
  const timed = Math.min(SUMMARY_LIMITS.cuesCounted, matches(text, cues.time))
  return lengthScore(words) + WEIGHTS.time * timed + WEIGHTS.late * at + (ours ? 1 : 0)
}

const wordsIn = (text: string) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
const lengthScore = (words: number) =>
  (WEIGHTS.length * Math.min(words, SUMMARY_LIMITS.wordsCounted)) / SUMMARY_LIMITS.wordsCounted
const matches = (text: string, cue: RegExp) => text.match(cue)?.length ?? 0

function quote(text: string): string {
  if (text.length <= SUMMARY_LIMITS.quoteCharacters) return `“${text}”`
  const cut = text.slice(0, SUMMARY_LIMITS.quoteCharacters)
  return `“${cut.slice(0, Math.max(cut.lastIndexOf(' '), 1))} …”`
}

interface Frame {
  topic(conversation: SummaryInput, said: Sentence): string
  promise(speaker: string, said: string): string
}

interface Words {
  called: string
  /** As in "we called Anna". */
  calledUp: string
  we: string
  left: string
  said: string
  promised: string
}

/** Who called whom, or left a voicemail, in words. */
function framed(words: Words): Frame {
  return {
    topic({ kind, customer, employee }, { speaker, text }) {
      const said = quote(text)
      if (kind === 'voicemail') return `${customer} ${words.left}: ${said}`
      const isInbound = kind === 'inbound_call'
      const caller = isInbound ? customer : (employee ?? words.we)
      const opening = isInbound ? `${caller} ${words.called}` : `${caller} ${words.calledUp} ${customer}`
      return speaker === caller ? `${opening}: ${said}` : `${opening}. ${speaker} ${words.said}: ${said}`
    },
    promise: (speaker, said) => `${speaker} ${words.promised}: ${said}`,
  }
}

const FRAMES: Readonly<Record<string, Frame>> = {
  en: framed({
    called: 'called',
    calledUp: 'called',
    we: 'We',
    left: 'left a voicemail',
    said: 'said',
    promised: 'promised',
  }),
  da: framed({
    called: 'ringede',
    calledUp: 'ringede til',
    we: 'Vi',
    left: 'lagde en besked',
    said: 'sagde',
    promised: 'lovede',
  }),
}

const WORDLESS: Frame = {
  topic: (_, { speaker, text }) => `${speaker}: ${quote(text)}`,
  promise: (speaker, said) => `${speaker}: ${said}`,
}
