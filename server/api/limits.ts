/** The limits of the HTTP application. */
export const API_LIMITS = {
  /** A path parameter. A longer one gets a 404 without a query. */
  pathParameterCharacters: 256,
  /**
   * Objects and arrays in one JSON body: parsed, they take more memory than their bytes. No valid request comes near
   * this.
   */
  bodyContainers: 250_000,
  /** Top-level fields of a JSON body. */
  bodyFields: 1_000,
  /** Of a body that is too large, so much is read and discarded; a larger one ends the connection. */
  discardedBytes: 16 * 1024 * 1024,
  /** The body of a callback from an SMS provider. */
  callbackBytes: 256 * 1024,
  /** About what a batch of a long list has while its company uses much of the process and others may come any moment. */
  busyBatchCharacters: 4_096,
  /** An item of a long list, before one is known. */
  itemCharacters: 256,
  /** How long browsers cache a CORS preflight response; Chromium's maximum. */
  preflightSeconds: 7_200,
  /** How long browsers cache the files of the dashboard, whose names change with their content. */
  assetSeconds: 365 * 24 * 60 * 60,
  /** How long browsers cache the stylesheet of the pages. */
  stylesheetSeconds: 300,
  /** How long browsers cache the script of the API reference. */
  scriptSeconds: 300,
  /** How long browsers insist on HTTPS (Strict-Transport-Security). */
  httpsSeconds: 365 * 24 * 60 * 60,
}

/** How companies share an API process, for requests and for texts that they receive. */
export const API_TURNS = {
  /** Connections to PostgreSQL that one company leaves to others: it has at most as many requests running as the rest. */
  sparedConnections: 2,
  /** Requests of one company that run at once after a while if all of them are quick. More would not be faster. */
  quickAtOnce: 32,
  /** A request that takes longer is not quick. */
  quickMs: 200,
  /** A request that takes longer leaves its place to the next: it probably waits for somebody else's service. */
  placeMs: 1_000,
  /** A company that has used so much of the process's time, beyond its share, waits for others from then on. */
  burstMs: 100,
  /** The share of the process's time that a company may use in the long run without waiting for others. */
  share: 0.25,
  /** Requests of such companies that run at once while others are there. */
  busyAtOnce: 1,
  /** One that takes longer does not hold up the next, so that 200 slow ones at once are answered within ten seconds. */
  busyMs: 50,
  /** After so long, the next of them starts even if others have something running all the time. */
  pauseMs: 20,
  /** Requests of one company that may wait. The next gets a 503. */
  waitingMax: 5_000,
  /** How long a request may wait before it gets a 503. */
  waitMs: 30_000,
}
