/** The limits of `bellhop doctor`, and what it considers too little or too much. */
export const DOCTOR_LIMITS = {
  /** Time for a check. */
  checkMs: 15_000,
  /** Time for the check of the speech engines, which load models. */
  engineMs: 120_000,
  /** Time to connect to the database. */
  connectSeconds: 5,
  /** Time for one request to a server. */
  requestMs: 5_000,
  /** Time for a carrier to respond. */
  trunkMs: 6_000,
  /** A clock that differs more from that of the database gets a warning. */
  clockWarningMs: 1_000,
  /** A clock that differs more is a problem: leases and tokens of other processes look expired. */
  clockProblemMs: 30_000,
  /** Less free disk space gets a warning. */
  diskWarningBytes: 1024 * 1024 * 1024,
  /** Less free disk space is a problem. */
  diskProblemBytes: 128 * 1024 * 1024,
  /** A job or a webhook delivery that is due for longer is stuck. */
  stuckSeconds: 300,
  /** A range of media ports for fewer concurrent calls gets a warning. */
  callsMin: 10,
  /** Media ports that are tried. */
  mediaPortsTried: 32,
  /** The line length of the report, if the terminal has none. */
  columns: 110,
}
