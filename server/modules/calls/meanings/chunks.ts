import { EMBEDDING_LIMITS } from '../../../embeddings/port.ts'
import { CALL_LIMITS } from '../limits.ts'

/** Each chunk starts with the last sentence of the previous one, so that a question stays with its answer. */
export function chunksOf(text: string): string[] {
  const parts: string[] = []
  let sentences: string[] = []
  let words = 0
  for (const sentence of sentencesOf(text)) {
    const more = wordsIn(sentence)
    if (sentences.length > 0 && words + more > CALL_LIMITS.partWords) {
      parts.push(sentences.join(' '))
      const last = sentences.at(-1)!
      const repeated = wordsIn(last) + more <= CALL_LIMITS.partWords
      sentences = repeated ? [last] : []
      words = repeated ? wordsIn(last) : 0
    }
    sentences.push(sentence)
    words += more
  }
  if (sentences.length > 0) parts.push(sentences.join(' '))
  return parts.slice(0, CALL_LIMITS.parts).map((part) => part.slice(0, EMBEDDING_LIMITS.textCharacters))
}

const wordsIn = (text: string) => text.split(/\s+/).length

/** Text without punctuation, as some recognisers produce, is split by word count. */
function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.?!…。？！])\s+|\n+/u)
    .flatMap((sentence) => {
      const words = sentence.split(/\s+/).filter(Boolean)
      const pieces: string[] = []
      for (let at = 0; at < words.length; at += CALL_LIMITS.partWords)
        pieces.push(words.slice(at, at + CALL_LIMITS.partWords).join(' '))
      return pieces
    })
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
}
