/** The limits of the platform. */
export const PLATFORM_LIMITS = {
  /** The time of one SQL statement (`statement_timeout`). */
  statementMs: 30_000,
  /** The time that a transaction may be idle (`idle_in_transaction_session_timeout`). */
  idleInTransactionMs: 30_000,
  /** Time to connect to PostgreSQL. */
  connectSeconds: 10,
  /** Time for queries to end when the connections to PostgreSQL are closed. */
  closeSeconds: 5,
  /** The longest pause before another attempt to connect. */
  reconnectSeconds: 1,
  /**
   * After a loss each connection waits so long before it is opened anew: a PostgreSQL that is starting has other
   * things to do.
   */
  redialMs: 100,
  /**
   * The TCP keep-alive of the connection that listens: it is silent by nature, so a network that is gone is found
   * after this and ten seconds.
   */
  listenerKeepAliveSeconds: 10,
  /** Time to close that connection. */
  listenerCloseSeconds: 1,
  /** The pause before it is opened anew, which doubles each time it is in vain. */
  listenerRedialMs: 50,
  /** The longest such pause. */
  listenerRedialMsMax: 1_000,
  /** Jobs that one worker runs at once. */
  jobsAtOnce: 4,
  /** Urgent jobs that it runs beside them, in slots of their own. */
  urgentJobsAtOnce: 8,
  /** Connections to PostgreSQL for jobs. */
  jobPoolSize: 8,
  /** How often a worker looks for jobs that it was not notified of. */
  jobPollMs: 2_000,
  /** The pause before the runner of jobs is started again. */
  runnerRestartMs: 1_000,
  /** An urgent job that has taken longer was begun by a worker that died: urgent work is done in seconds. */
  urgentJobSeconds: 60,
  /** Any other job that has taken longer. */
  otherJobSeconds: 15 * 60,
  /** Passwords that are hashed at once: each takes 19 MiB and a core for a while. */
  passwordsAtOnce: 2,
  /** Passwords that wait to be hashed: anyone may ask for it by trying one. */
  passwordsWaiting: 64,
  /** How often the event loop is watched. */
  tickMs: 50,
  /** A longer delay of the event loop is logged. */
  blockedMs: 200,
  /** Faults that an answer names for one field. What is inside of a list counts for the list. */
  faultsPerField: 20,
  /** Fields of which an answer names faults: it stays small, however much is wrong. */
  faultyFields: 20,
}

/** The limits of every form that is sent to us, and of the query of a page. No form of ours comes near them. */
export const FORM_LIMITS = {
  /** The body. */
  bytes: 16 * 1024,
  /** Its fields. */
  fields: 50,
}
