import { EMBEDDING_LIMITS } from './limits.ts'

export { EMBEDDING_LIMITS }

/** Turns texts into vectors, so that what means alike lies near. */
export interface Embedder {
  /** Vectors of different models cannot be compared. */
  readonly model: string
  /** Whether the model supports texts in this language. */
  understands(language: string): boolean
  /** A vector of length 1 for each text, all of one dimension. Rejects with EmbeddingFailed only. */
  embed(texts: string[]): Promise<Float32Array[]>
  close(): Promise<void>
}

/** 'busy' and 'timeout' are worth a retry. */
export type EmbeddingFailure = 'busy' | 'timeout' | 'engine' | 'text'

export class EmbeddingFailed extends Error {
  readonly why: EmbeddingFailure

  constructor(why: EmbeddingFailure, message: string) {
    super(message)
    this.name = 'EmbeddingFailed'
    this.why = why
  }
}

/** Of length 1, so that the cosine of two is their product. */
export function ofLengthOne(values: ArrayLike<number>): Float32Array {
  let squares = 0
  for (let i = 0; i < values.length; i++) squares += values[i]! ** 2
  const length = Math.sqrt(squares)
  if (!(length > 0 && Number.isFinite(length)))
    throw new EmbeddingFailed('engine', 'The engine returned a zero or invalid vector.')
  return Float32Array.from(values, (value) => value / length)
}

export function checkTexts(texts: string[]): void {
  if (texts.length > EMBEDDING_LIMITS.textsAtOnce)
    throw new EmbeddingFailed('text', `More than ${EMBEDDING_LIMITS.textsAtOnce} texts in one request.`)
  for (const text of texts)
    if (text.trim() === '' || text.length > EMBEDDING_LIMITS.textCharacters)
      throw new EmbeddingFailed('text', 'A text is blank or too long.')
}
