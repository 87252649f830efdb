const ATTEMPT_MS = 15_000
const WRITING_MS = 3_000
const PER_ENDPOINT = { max: 20, atFirst: 4 }

/** The limits of webhooks. */
export const WEBHOOK_LIMITS = {
  /** The name of a subscription. */
  nameCharacters: 255,
  /** The URL of a webhook endpoint. */
  urlCharacters: 2_000,
  /** Entries in the list of events of a subscription. */
  events: 100,
  /** Time to connect to an endpoint. */
  connectMs: 10_000,
  /** Time for an endpoint to respond. */
  attemptMs: ATTEMPT_MS,
  /** How long the rest of a response is read, so that its connection can be reused. */
  answerDrainMs: 1_000,
  /** How much of a response is read. */
  answerBytes: 65_536,
  /** Concurrent deliveries to one endpoint. */
  perEndpointMax: PER_ENDPOINT.max,
  /** Concurrent deliveries to one endpoint before its first response. */
  perEndpointAtFirst: PER_ENDPOINT.atFirst,
  /** Deliveries that are initially read ahead for one endpoint: as many as are sent concurrently. */
  aheadAtFirst: PER_ENDPOINT.atFirst,
  /** Deliveries that are read ahead for an endpoint that keeps emptying its queue. */
  aheadMax: 50 * PER_ENDPOINT.max,
  /** Time to store the result of an attempt before its lease expires. */
  writingMs: WRITING_MS,
  /** The lease on an endpoint: time to start an attempt, to make it, and to store its result. */
  leaseMs: ATTEMPT_MS + WRITING_MS + 7_000,
  /** A lease is renewed when no more than this is left of it, well before it is too short for another attempt. */
  renewMs: ATTEMPT_MS + WRITING_MS + 2_000,
  /** Endpoints that one worker leases. */
  leases: 10_000,
  /** Endpoints that it leases in one statement, so that workers share a burst of work. */
  leasedAtOnce: 100,
  /** Deliveries in memory. More are allowed if each endpoint would otherwise have fewer than it sends concurrently. */
  held: 10_000,
  /** Deliveries of one company that are read in a second while other companies are there, if it has more. */
  pacedPerSecond: 400,
  /** Deliveries that it may have before, as fast as its endpoints respond. */
  pacedBurst: 400,
  /** As many are read at once at least. */
  pacedAtOnce: 40,
  /** How often a worker looks whether they may be. */
  pacedMs: 100,
  /** Idle endpoints whose read-ahead is remembered. */
  remembered: 1_000,
  /**
   * How long the sending thread collects results before it reports them: a message for each would cost more than the
   * result itself.
   */
  reportMs: 5,
  /** Results that are stored in one batch. */
  batch: 500,
  /** A result waits at most this long for its batch to fill. */
  batchMs: 20,
  /** How often a worker that has leases renews them, and looks for deliveries that it was not notified of. */
  pollMs: 1_000,
  /** How often a worker without leases looks for such deliveries. */
  idlePollMs: 5_000,
  /** A retry that is due within this time is made when it is due, even by a worker without leases. */
  punctualRetryMs: 2 * 60_000,
  /** How long a stopping worker waits for attempts in progress. */
  stopMs: 5_000,
  /** The longest `Retry-After` that is honoured. */
  retryAfterMs: 24 * 60 * 60_000,
  /** How long events and their deliveries are kept. */
  keptMs: 30 * 24 * 60 * 60_000,
  /** How often older ones are deleted. */
  deleteEveryMs: 60 * 60_000,
  /** Events, or deliveries, that are deleted in one statement. */
  deletedAtOnce: 1_000,
}
