import type { Call } from '../../api/calls.ts'
import type { Segment } from './segment.ts'

/** Where in a call the search terms occur. */
export interface Excerpt {
  /** Undefined if the transcript has no speakers, or it is the note. */
  segment: Segment | undefined
  isNote?: boolean
  text: string
}

const LIMITS = {
  /** The length of the passage, and how much of it precedes the first match. */
  characters: 180,
  charactersBefore: 60,
  /** Shorter words say little, and shorter stems match too much. */
  wordLetters: 4,
}

/** Suffixes of English and Danish words, longest first, so that forms of a word share a stem. */
const ENDINGS = /(ernes|erne|enes|edes|ings|ene|ede|ing|ies|ied|ers|ets|ens|er|en|et|es|ed|ly|s|e|y)$/u

/** Words of four letters and more that nobody searches for. */
const STOP_WORDS = new Set(
  `about been could does from have just should than that their them then there they this were what when where will
  with would your blev denne dette disse efter eller fordi havde hvad hvis hvor ikke kunne skal skulle under være
  ville også`.split(/\s+/),
)

/**
 * Matches the search terms, and other forms of them, in a text; undefined if there is nothing to match. The search
 * itself uses the language of the call: this finds most of its matches.
 */
export function patternOf(query: string): RegExp | undefined {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const telling = words.filter((word) => isTelling(word))
  const forms = (telling.length > 0 ? telling : words).map(formsOf)
  if (forms.length === 0) return undefined
  return new RegExp(`(?<![\\p{L}\\p{N}])(${[...new Set(forms)].join('|')})(?![\\p{L}\\p{N}])`, 'giu')
}

const isTelling = (word: string) =>
  /\p{N}/u.test(word) || (word.length >= LIMITS.wordLetters && !STOP_WORDS.has(word))

/** A short word matches only itself, a longer one everything with the same stem. */
function formsOf(word: string): string {
  if (word.length < LIMITS.wordLetters) return word
  for (let cut = 5; cut > 0; cut--) {
    const stem = word.slice(0, -cut)
    const isEnding = ENDINGS.exec(word.slice(-cut))?.[0].length === cut
    if (isEnding && stem.length >= LIMITS.wordLetters) return `${stem}[\\p{L}\\p{N}]*`
  }
  return `${word}[\\p{L}\\p{N}]*`
}

/** The segment with most of the terms; undefined if there is none, as in a match by meaning. */
export function excerptOf(call: Call, query: string): Excerpt | undefined {
  const pattern = patternOf(query)
  if (!pattern) return undefined
  let best: { said: Excerpt; weight: number } | undefined
  for (const said of saidIn(call)) {
    const weight = weightOf(said.text, pattern)
    if (weight > (best?.weight ?? 0)) best = { said, weight }
  }
  return best && { ...best.said, text: textAround(best.said.text, pattern) }
}

/** The note first: of two that say the same, it was written to be read. */
function saidIn(call: Call): Excerpt[] {
  const note = call.wrap_up?.note
  return note ? [{ segment: undefined, isNote: true, text: note }, ...spokenIn(call)] : spokenIn(call)
}

function spokenIn({ transcription, transcription_segments: segments }: Call): Excerpt[] {
  if (segments && segments.length > 0) return segments.map((segment) => ({ segment, text: segment.text }))
  const sentences = transcription?.split(/(?<=[.?!…])\s+|\n+/u) ?? []
  return sentences.map((text) => ({ segment: undefined, text }))
}

/** Counts different words, not repetitions; longer ones count more. */
function weightOf(text: string, pattern: RegExp): number {
  const found = text.toLowerCase().match(pattern) ?? []
  const beginnings = new Set(found.map((word) => word.slice(0, LIMITS.wordLetters)))
  return [...beginnings].reduce((sum, beginning) => sum + beginning.length, 0)
}

/** A part of the text around the first match, cut between words. */
function textAround(text: string, pattern: RegExp): string {
  const at = text.search(pattern)
  const from = at <= LIMITS.charactersBefore ? 0 : text.indexOf(' ', at - LIMITS.charactersBefore) + 1
  const rest = text.slice(from, from + LIMITS.characters)
  const isCut = from + rest.length < text.length
  const end = isCut ? rest.lastIndexOf(' ') : -1
  return `${from > 0 ? '…' : ''}${end > 0 ? rest.slice(0, end) : rest}${isCut ? '…' : ''}`
}
