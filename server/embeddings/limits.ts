/** What one request to an embedding engine may cost. */
export const EMBEDDING_LIMITS = {
  /** Texts in one request. */
  textsAtOnce: 16,
  /** One text. */
  textCharacters: 4_000,
  /** Requests that wait for the engine, besides the one it is working on. */
  waitingMax: 64,
  /** How long a request waits for its turn. */
  waitMsMax: 30_000,
  /** Time for the start of a cold engine on a busy machine. */
  startMsMax: 30_000,
  /** Time for each text, on top of the start. */
  perTextMsMax: 5_000,
  /** After this long without work, the engine is stopped to free its memory. */
  idleMs: 60_000,
  /** The length of a vector. */
  dimensionsMax: 8_192,
}

/** The limits of an embedding endpoint. */
export const EMBEDDING_ENDPOINT_LIMITS = {
  /** Time to connect. */
  connectMs: 5_000,
  /** Time for the whole response. */
  answerMs: 30_000,
  /** The size of a response. */
  answerBytes: 8 * 1024 * 1024,
  /** Connections that are open at once. */
  connections: 8,
}
