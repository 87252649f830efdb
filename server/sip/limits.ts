/** Every limit of the SIP library, with its unit. Times of RFC 3261 itself are in transaction/timers.ts. */
export const LIMITS = {
  messageBytesMax: 65_535,
  headerFieldsMax: 200,

  /** Of a source that is neither a trunk nor a registered device. */
  strangerMessagesPerSecond: 50,
  strangerMessagesBurst: 200,
  strangersRememberedMax: 10_000,
  /** Of a stranger, too. */
  connectionsPerSourceMax: 200,
  connectionsMax: 10_000,
  /** A connection that has brought no valid message by then is closed. */
  firstMessageMs: 30_000,
  /** And one that has begun a message and not ended it. */
  wholeMessageMs: 30_000,
  connectMs: 5_000,
  dnsMs: 2_000,
  dnsTriesMax: 2,
  unsentBytesMax: 1_048_576,
  /** RFC 5626 §4.4.1 lets a client choose below 120 s; NAT bindings often last no longer than 30. */
  keepAliveMs: 25_000,
  pongMs: 10_000,
  udpReceiveBufferBytes: 4_194_304,

  transactionsMax: 50_000,
  /** Beyond them there is room for what belongs to calls that are there: a BYE must not be turned away. */
  transactionsReserved: 10_000,

  /** An offer of the peer that nobody answers by then is refused. */
  offerAnswerMs: 20_000,
  offerAttemptsMax: 5,
  /** A refresh of the session that the peer did not accept is tried again, as long as the session lasts. */
  refreshAgainMs: 10_000,
  /** How often one request is sent anew with credentials or other demands of the peer met. */
  demandsMetMax: 3,
  /** With another host of the trunk to try, the first has this long to say anything. */
  firstAnswerMs: 4_000,
  /** A registered device has this long to say anything, which phones do at once; who is silent is not there. */
  deviceAnswerMs: 10_000,

  registrationSecondsMin: 60,
  registrationSecondsMax: 3_600,
  bindingsPerUserMax: 20,
  /** After a failure we register again: soon at first, later at longer and longer distances. */
  registerAgainMs: 5_000,
  registerAgainMsMax: 300_000,
  probeMs: 30_000,

  nonceMs: 300_000,
  noncesRememberedMax: 50_000,
  guessesWithoutDelay: 3,
  guessDelayMs: 250,
  guessDelayMsMax: 4_000,
  guessesUntilBlocked: 20,
  guessesForgottenMs: 900_000,
  provenUsersPerSourceMax: 200,
}
