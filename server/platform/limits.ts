/** The limits of the platform. */
export const PLATFORM_LIMITS = {
  /** How long a browser remembers the chosen language. */
  languageSeconds: 365 * 24 * 60 * 60,
  /** Time for one SQL statement (`statement_timeout`). */
  statementMs: 30_000,
  /** How long a transaction may be idle (`idle_in_transaction_session_timeout`). */
  idleInTransactionMs: 30_000,
  /** Time to connect to PostgreSQL. */
  connectSeconds: 10,
  /** How long the first of several hosts may take to accept a connection before the next is tried as well. */
  hostPatienceMs: 500,
  /** How often a process checks that the chosen one of several hosts responds. */
  hostCheckMs: 1_000,
  /** How long that may take. Then its connections are given up if another host accepts writes. */
  hostSilenceMs: 3_000,
  /** A query that takes longer is not followed by others on its connection: they wait for the next that is free. */
  slowQueryMs: 20,
  /** Time for queries to finish when the connections to PostgreSQL are closed. */
  closeSeconds: 5,
  /** A connection that is not used for this long is closed, or for up to twice as long, except the first one. */
  idleConnectionMs: 30_000,
  /** The pause before a lost connection is reopened, so that a PostgreSQL that is starting is not flooded. */
  redialMs: 100,
  /**
   * TCP keep-alive of the connection that receives notifications. It is usually idle, so only this detects a lost
   * network, ten seconds later.
   */
  listenerKeepAliveSeconds: 10,
  /** Time to close that connection. */
  listenerCloseSeconds: 1,
  /** How long it waits for a lock (`lock_timeout`), so that notifications are not held up; then it tries again. */
  followerLockMs: 200,
  /** How often a process checks whether processes of an earlier release still listen, if it found some. */
  earlierListenersMs: 10_000,
  /** The pause before it is reopened; it doubles with each failure. */
  listenerRedialMs: 50,
  /** The longest such pause. */
  listenerRedialMsMax: 1_000,
  /** How often a process checks whether another one has migrated the database. */
  migrationLockPollMs: 100,
  /**
   * How long a migration waits for a table that others are using. Whoever comes after it waits as well, so it gives up
   * then, and tries again later.
   */
  migrationTableWaitMs: 100,
  /** How long it leaves the table to the others meanwhile. */
  migrationTablePauseMs: 500,
  /** Jobs that one worker runs concurrently. */
  jobsAtOnce: 4,
  /** Urgent jobs that it runs in addition, in separate slots. */
  urgentJobsAtOnce: 12,
  /** Company jobs (automatic replies, look-ups of callers) of one company that it runs concurrently. */
  companyJobsAtOnce: 8,
  /** How often a company job is tried. */
  companyJobTriesMax: 25,
  /** Company jobs whose turn was lost with a worker, and that get another in one statement. */
  companyJobsRescued: 100,
  /** Connections to PostgreSQL for jobs. */
  jobPoolSize: 8,
  /** One that no job uses for this long is closed: the jobs of each minute would otherwise leave five open for a while. */
  jobIdleConnectionMs: 2_000,
  /** The pause before a worker tries again to reach PostgreSQL. */
  jobRedialMs: 250,
  /** How often a worker looks for jobs that it was not notified of. It is woken when the time of a job comes. */
  jobPollMs: 5_000,
  /** How often each slot of the job library does so by itself. */
  jobSlotPollMs: 5 * 60_000,
  /** The pause before the job runner is restarted. */
  runnerRestartMs: 1_000,
  /** An urgent job that takes longer is assumed to belong to a dead worker: urgent jobs finish in seconds. */
  urgentJobSeconds: 60,
  /** The same for any other job. */
  otherJobSeconds: 15 * 60,
  /** Passwords that are hashed concurrently: each takes 19 MiB and a core for a while. */
  passwordsAtOnce: 2,
  /** Passwords that wait to be hashed: anyone can cause it by trying to sign in. */
  passwordsWaiting: 64,
  /** How often the delay of the event loop is measured. */
  tickMs: 50,
  /** After this many measurements in a row in which nothing happened, it is measured less often. */
  idleTicks: 4,
  /** How often, until something happens. */
  idleTickMs: 1_000,
  /** A longer delay of the event loop is logged. */
  blockedMs: 200,
  /** How long a thread answers calls of other threads before it does its other work. */
  threadStretchMs: 4,
  /** How far apart the turns of a thread's event loop are while much arrives. */
  threadThrottleMs: 1,
  /** How often a thread reports the delays of its event loop. */
  threadReportMs: 5_000,
  /** Errors that a response lists for one field. Errors within an array count for the array. */
  faultsPerField: 20,
  /** Fields for which a response lists errors, so that it stays small. */
  faultyFields: 20,
}

/** The limits of submitted forms, and of the query string of a page. None of our forms comes near them. */
export const FORM_LIMITS = {
  /** The body. */
  bytes: 16 * 1024,
  /** Its fields. */
  fields: 50,
}

/** When a thread beside the main one gives its memory back. */
export const THREAD_REST = {
  /** After this long with nothing to do. */
  restMs: 15_000,
  /** Nothing to do is less than this share of a core: one call takes several times as much. */
  restShare: 0.001,
  /** Only if the heap has grown since the last time by at least so much. */
  growthBytes: 0,
}

/** When the main thread of a service gives its memory back. Calls and requests that arrive meanwhile wait for 0.1 s. */
export const MAIN_REST = {
  /** After this long with little to do. */
  restMs: 30_000,
  /** Little to do is less than this share of a core: a few calls in a minute. */
  restShare: 0.005,
  /** Only if the heap has grown since the last time by at least so much. */
  growthBytes: 16 * 1024 * 1024,
}
