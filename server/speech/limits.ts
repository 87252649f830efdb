/** What one request to a speech engine may cost. */
export const SPEECH_LIMITS = {
  /** A text that is spoken. */
  textCharsMax: 5_000,
  /** The sound of it: digits and signs grow when they are read out. */
  speechMsMax: 600_000,
  /** Requests that wait for one engine; the one it works on is not counted. */
  waitingMax: 32,
  /** How long a request waits for its turn. */
  waitMsMax: 120_000,
  /** Time for the start of a cold engine on a busy machine. */
  startMsMax: 30_000,
  /** Time for each character, on top of the start. */
  perCharMsMax: 60,
  /** After this long without work an engine gives its memory back. */
  idleMs: 300_000,
}

/** The limits of recognising speech. */
export const RECOGNITION_LIMITS = {
  /** A recording: four and a half hours of a call. */
  recordingBytesMax: 512 * 1024 * 1024,
  /** Time for each second of a channel: the engine shares the machine with calls, which come first. */
  perSecondMsMax: 1_500,
  /** What the engine is given at once; beyond 30 s it repeats itself. */
  passageMsMax: 25_000,
  /** Shorter gaps do not part passages: a recogniser makes more of a sentence than of its pieces. */
  passageGapMs: 2_000,
  /** What the other one says in a gap is a turn if it is longer, and not a mere "yes"; turns stay in order. */
  turnMs: 1_000,
  /** Kept before and after speech: words begin before they are loud enough to be noticed. */
  marginMs: 200,
  /** A pause that ends a stretch of speech. */
  stretchPauseMs: 400,
  /** A pause that ends a stretch that is nearly as long as it may be. */
  stretchShortPauseMs: 100,
  /** The share of the longest stretch from which it counts as that. */
  stretchNearlyFull: 0.7,
  /** What is shorter is a click or a breath. */
  stretchMsMin: 100,
}

/** The limits of summaries. */
export const SUMMARY_LIMITS = {
  /** A summary. */
  charactersMax: 1_000,
  /** Words of a sentence that count: longer ones say no more. */
  wordsCounted: 20,
  /** Cue words of a sentence that count. */
  cuesCounted: 3,
  /** Words that a sentence must have without its pleasantries: fewer say nothing. */
  wordsMin: 3,
  /** A quoted sentence. */
  quoteCharacters: 200,
}

/** The limits of a speech endpoint. */
export const SPEECH_ENDPOINT_LIMITS = {
  /** Time to connect. */
  connectMs: 10_000,
  /** One answer. */
  answerBytes: 2 * 1024 * 1024,
  /** Connections that are open at once. */
  connections: 16,
  /** Sound that is sent at once: 4.8 MB, where others allow 25. */
  batchMs: 300_000,
  /** The pause between passages that were not said one after the other. */
  batchPauseMs: 1_000,
  /** Segments of an answer. */
  segments: 10_000,
  /** The text of an answer, or of a segment. */
  textCharacters: 20_000,
  /** What a model is given to summarise. Less is lost of the end of a long conversation than of its beginning. */
  transcriptCharacters: 60_000,
  /** Tokens that a model may answer with. */
  summaryTokens: 300,
  /** How often a model is asked. */
  summaryTries: 3,
  /** The pause before it is asked again. */
  summaryPauseMs: 2_000,
}
