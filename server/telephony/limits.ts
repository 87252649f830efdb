/** The limits of live calls. */
export const TELEPHONY_LIMITS = {
  /**
   * How long a participant whose media has stopped has to respond to a re-INVITE in any way, before the call ends.
   * Over UDP it is sent four times in that time.
   */
  probeMs: 6_000,
  /** How long a transfer rings. */
  transferRingMs: 30_000,
  /** How long a customer talks to somebody outside after a transfer, with nobody of the company in the call. */
  outsideTransferMs: 4 * 60 * 60_000,
  /** Time until a phone that requested a transfer is notified whether it starts. */
  phoneTransferMs: 5_000,
  /** How long a call is parked before the phones of the employee who parked it ring. */
  parkedMs: 3 * 60_000,
  /** How often they ring, each time after that long, before the call ends. */
  parkedRecalls: 10,
  /** A phone that hangs up this soon after its transfer failed is rung again. */
  transferFailedMs: 2_000,
  /** An employee who declined, or could not be reached, is not offered to the same caller again for this long. */
  declinedMs: 30_000,
  /** The same if their phones lost their connection while they rang: a page that is reloaded is soon back. */
  phoneBackMs: 2_000,
  /** A phone that went away this recently still counts as there: a page that is reloaded registers again. */
  phoneAwayMs: 15_000,
  /** How long a caller waits for somebody whose browser was told to come, if nobody else is there. */
  arrivalMs: 30_000,
  /** A phone that rings this long without another response is cancelled and rung again (RFC 3261 §16.6, Timer C). */
  ringAnewMs: 180_000,
  /** How long a caller who joins the queue waits for PostgreSQL's answer before offers are looked for without it. */
  joinAnswerMs: 500,
  /** How long a menu waits for a digit after its prompt. */
  menuPatienceMs: 5_000,
  /** The longest voicemail. */
  voicemailMaxMs: 5 * 60_000,
  /** Silence that ends a voicemail. */
  voicemailSilenceMs: 8_000,
  /** A recording with more sound than this is a voicemail, even if no speech is detected in it. */
  voicemailSoundMs: 3_000,
  /** The longest recording. */
  recordingMaxMs: 4 * 60 * 60_000,
  /** How often people who are recorded hear the recorder warning tone, if the number is set to. */
  recorderWarningEveryMs: 15_000,
  /** How long a call waits for a greeting if not even the default one is stored, before it is skipped. */
  promptWaitMs: 10_000,
  /** How often the call checks whether the greeting is ready. */
  promptCheckMs: 250,
  /** The pause before a failed write to the database is retried; it doubles with each failure. */
  storeRetryMs: 500,
  /** The longest such pause. */
  storeRetryMaxMs: 2_000,
  /** The pause before writing the end of a call is retried, even after an error that is not transient. */
  storeAgainMs: 10_000,
  /** How long a call of a coworker rings. */
  internalRingMs: 30_000,
  /** How long an outbound call rings. */
  outboundRingMs: 120_000,
  /** How long the end of a call to a number of the same company waits for the end of the call that it reached there. */
  insideEndMs: 5_000,
  /** How long a stopping edge waits for the ends of its calls to be written. */
  stopMs: 10_000,
  /** How long it then waits for its last commands, and for the database to remove the edge. */
  leaveMs: 5_000,
  /** How often an edge looks for recordings of dead edges, and retries those that could not be stored. */
  rescueEveryMs: 5_000,
  /** On a shared directory, an unknown edge of another machine is dead if it has written nothing for this long. */
  unknownEdgeQuietMs: 10 * 60_000,
  /** The longest time between two checks for dead edges. The reaper also checks when a heartbeat is overdue. */
  reapEveryMs: 5_000,
  /** Log lines about refused SIP requests and sources of one kind, in a burst. */
  refusalLinesBurst: 20,
  /** Such lines in the long run. Those that were left out are counted in the next one. */
  refusalLinesPerMinute: 10,
  /** How long a phone that subscribes waits for the database. */
  lampsReadMs: 5_000,
  /** The pause before the state of lamps that could not be read is read again. */
  lampsAgainMs: 5_000,
  /** The SIP messages that an edge returns of one call. */
  traceAnswerBytesMax: 1_048_576,
  /** Transactions of one company's calls that an edge runs at once; further ones wait without a connection. */
  companyWrites: 4,
  /** The part of the calls of an edge that is left to companies with few. Any company may have so many. */
  callsReserved: 0.1,
}

/** How companies share an overloaded edge, for the calls that carriers bring. */
export const CALL_ADMISSION = {
  /** The share of the time that the signalling thread may be busy before the edge counts as overloaded. */
  utilisationMax: 0.7,
  /** The share of the time that a company which floods the edge may use while others are there. */
  floodShareMax: 0.2,
  /** How often that is measured, while calls arrive or wait. */
  measureMs: 50,
  /** For how long an edge counts as overloaded after it was. */
  overloadMs: 1_000,
  /** The calls of a company that count lately: one that began so long ago counts for about a third, and so on. */
  startsMs: 10_000,
  /** A company with fewer calls, counted like that, is no flood: it may begin two a second in the long run. */
  startsSpared: 20,
  /** Calls wait if their company has begun so many times as many lately as another one that is there. */
  floodFactor: 2,
  /** For how long after its latest call a company counts as there, if it has no live one. */
  presentMs: 10_000,
  /** The shortest time between two waiting calls that begin. */
  pauseMs: 10,
  /** The longest such time, unless the edge has no time at all. */
  pauseMsMax: 200,
  /** How long a call may wait before it gets a 503. Callers hear nothing meanwhile. */
  waitMs: 4_000,
  /** Calls that may wait. The next gets a 503. */
  waitingMax: 1_000,
}
