const ATTEMPT_MS = 15_000
const WRITING_MS = 3_000
const PER_ENDPOINT = { max: 20, atFirst: 4 }

/** The limits of webhooks. */
export const WEBHOOK_LIMITS = {
  /** The name of a subscription. */
  nameCharacters: 255,
  /** The address of an endpoint. */
  urlCharacters: 2_000,
  /** Entries in the list of events of a subscription. */
  events: 100,
  /** Time to connect to an endpoint. */
  connectMs: 10_000,
  /** Time for an endpoint to answer. */
  attemptMs: ATTEMPT_MS,
  /** The rest of an answer is read for so long, so that its connection can be used again. */
  answerDrainMs: 1_000,
  /** And so far. */
  answerBytes: 65_536,
  /** Deliveries to one endpoint at once. */
  perEndpointMax: PER_ENDPOINT.max,
  /** Deliveries to one endpoint at once, before it has answered any. */
  perEndpointAtFirst: PER_ENDPOINT.atFirst,
  /** Deliveries that are read ahead for one endpoint at first: as many as are sent at once. */
  aheadAtFirst: PER_ENDPOINT.atFirst,
  /** Deliveries that are read ahead for an endpoint that keeps running dry. */
  aheadMax: 50 * PER_ENDPOINT.max,
  /** Time to write down what became of an attempt, before its lease ends. */
  writingMs: WRITING_MS,
  /** How long a worker has an endpoint to itself: an attempt, writing it down, and some time to begin it. */
  leaseMs: ATTEMPT_MS + WRITING_MS + 7_000,
  /** A lease that has no more left is renewed: long before nothing more may be sent by it. */
  renewMs: ATTEMPT_MS + WRITING_MS + 2_000,
  /** Endpoints that one worker leases. */
  leases: 10_000,
  /** Endpoints that it leases in one statement, so that workers who hear of much at the same time share it. */
  leasedAtOnce: 100,
  /** Deliveries in memory, unless there are so many endpoints that each has less than it gets at once. */
  held: 10_000,
  /** Idle endpoints for which is remembered how far ahead is read. */
  remembered: 1_000,
  /**
   * The sending thread reports what has ended when it is so old: a message for each would cost more than what it
   * says.
   */
  reportMs: 5,
  /** Results that are written down together. */
  batch: 500,
  /** A result is written down when it is so old, however few there are. */
  batchMs: 20,
  /** How often a worker looks for deliveries that it was not notified of. */
  pollMs: 1_000,
  /** How long a stopping worker waits for attempts that are under way. */
  stopMs: 5_000,
  /** The longest `Retry-After` of an endpoint that is obeyed. */
  retryAfterMs: 24 * 60 * 60_000,
  /** How long events and their deliveries are kept. */
  keptMs: 30 * 24 * 60 * 60_000,
  /** How often older ones are deleted. */
  deleteEveryMs: 60 * 60_000,
  /** Events that are deleted in one statement. */
  deletedAtOnce: 1_000,
}
