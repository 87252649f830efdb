/** What one request to a speech engine may cost. */
export const SPEECH_LIMITS = {
  /** A text to synthesise. */
  textCharsMax: 5_000,
  /** The resulting audio: digits and symbols become longer when they are read out. */
  speechMsMax: 600_000,
  /** Requests that wait for one engine, besides the one it is working on. */
  waitingMax: 32,
  /** How long a request waits for its turn. */
  waitMsMax: 120_000,
  /** Time for the start of a cold engine on a busy machine. */
  startMsMax: 30_000,
  /** Time for each character, on top of the start. */
  perCharMsMax: 60,
  /** After this long without work, an engine is stopped to free its memory. */
  idleMs: 60_000,
}

/** The limits of speech recognition. */
export const RECOGNITION_LIMITS = {
  /** A recording: four and a half hours. */
  recordingBytesMax: 512 * 1024 * 1024,
  /** Time for each second of a channel: the engine shares the machine with calls, which have priority. */
  perSecondMsMax: 1_500,
  /** Audio that the engine gets at a time; beyond 30 s it repeats itself. */
  passageMsMax: 25_000,
  /** A shorter gap does not split the audio: a recogniser does better with whole sentences. */
  passageGapMs: 2_000,
  /** Speech of the other speaker in a gap splits the audio if it is at least this long, so a mere "yes" does not. */
  turnMs: 1_000,
  /** Audio kept before and after speech: words start before they are loud enough to be detected. */
  marginMs: 200,
  /** A pause that ends a stretch of speech. */
  stretchPauseMs: 400,
  /** A pause that ends a stretch of nearly the maximum length. */
  stretchShortPauseMs: 100,
  /** The share of the maximum length from which this applies. */
  stretchNearlyFull: 0.7,
  /** Anything shorter is a click or a breath. */
  stretchMsMin: 100,
}

/** The limits of summaries. */
export const SUMMARY_LIMITS = {
  /** A summary. */
  charactersMax: 1_000,
  /** Words of a sentence that count towards its score: longer sentences say no more. */
  wordsCounted: 20,
  /** Cue words of a sentence that count towards its score. */
  cuesCounted: 3,
  /** Words that a sentence needs besides its pleasantries. */
  wordsMin: 3,
  /** A quoted sentence. */
  quoteCharacters: 200,
}

/** The limits of a speech endpoint. */
export const SPEECH_ENDPOINT_LIMITS = {
  /** Time to connect. */
  connectMs: 10_000,
  /** One response. */
  answerBytes: 2 * 1024 * 1024,
  /** Connections that are open at once. */
  connections: 16,
  /** Audio in one request: 4.8 MB, where common services allow 25 MB. */
  batchMs: 300_000,
  /** The silence inserted between stretches of speech that were not consecutive. */
  batchPauseMs: 1_000,
  /** Segments of a response. */
  segments: 10_000,
  /** The text of a response, or of a segment. */
  textCharacters: 20_000,
  /** Transcript that a model gets to summarise. The end of a longer one is cut, because the beginning says more. */
  transcriptCharacters: 60_000,
  /** Tokens of a model's response. */
  summaryTokens: 300,
  /** Attempts to get a summary from a model. */
  summaryTries: 3,
  /** The pause between those attempts. */
  summaryPauseMs: 2_000,
}
