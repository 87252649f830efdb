/** The limits of traces, which are sent to a collector in the background. */
export const TRACING_LIMITS = {
  /** Spans that wait for the collector. Further ones are dropped, and counted in the log. */
  waitingMax: 4_096,
  /** Spans in one request. */
  batchMax: 512,
  /** How long spans wait for others before they are sent. */
  batchMs: 2_000,
  /** How long the collector may take to respond. */
  answerMs: 10_000,
  /** The longest pause before a collector that does not respond is tried again. The first is `batchMs`. */
  retryMaxMs: 60_000,
  /** How long a process that stops waits for the collector. */
  flushMs: 1_000,
  /** Of what the collector says about an error, how many characters are logged. */
  reasonCharacters: 200,
}
