/** The limits of the SIP library. Times of RFC 3261 itself are in transaction/timers.ts. */
export const SIP_LIMITS = {
  /** One SIP message. */
  messageBytesMax: 65_535,
  /** Header fields of a message. */
  headerFieldsMax: 200,
  /** Messages of a source that is neither a trunk nor a registered device. */
  strangerMessagesPerSecond: 50,
  /** Messages that such a source may send at once. */
  strangerMessagesBurst: 200,
  /** Such sources that are remembered. */
  strangersRememberedMax: 10_000,
  /** Connections of such a source. */
  connectionsPerSourceMax: 200,
  /** Connections of all sources. */
  connectionsMax: 10_000,
  /** A connection that has brought no valid message by then is closed. */
  firstMessageMs: 30_000,
  /** A connection that has begun a message and not ended it by then is closed. */
  wholeMessageMs: 30_000,
  /** Time to connect to a peer. */
  connectMs: 5_000,
  /** Time for one DNS query. */
  dnsMs: 2_000,
  /** How often a DNS query is tried. */
  dnsTriesMax: 2,
  /** What may wait for a slow reader, before its connection is closed. */
  unsentBytesMax: 1_048_576,
  /**
   * How often a connection is kept alive: RFC 5626 §4.4.1 lets a client choose below 120 s, and NAT bindings often
   * last no longer than 30.
   */
  keepAliveMs: 25_000,
  /** Time for the answer to a keep-alive. */
  pongMs: 10_000,
  /** The receive buffer of the UDP socket. */
  udpReceiveBufferBytes: 4_194_304,
  /** Transactions at once; beyond them new calls are turned away. */
  transactionsMax: 50_000,
  /** Transactions beyond them for what belongs to calls that are there: a BYE must not be turned away. */
  transactionsReserved: 10_000,
  /** An offer of the peer that nobody answers by then is refused. */
  offerAnswerMs: 20_000,
  /** How often an offer is tried when the peer makes one at the same time. */
  offerAttemptsMax: 5,
  /** A session refresh that the peer did not accept is tried again after this, as long as the session lasts. */
  refreshAgainMs: 10_000,
  /** How often one request is sent anew with credentials or other demands of the peer met. */
  demandsMetMax: 3,
  /** With another host of the trunk to try, the first has this long to say anything. */
  firstAnswerMs: 4_000,
  /** A registered device has this long to say anything, which phones do at once. */
  deviceAnswerMs: 10_000,
  /** The shortest registration of a device. */
  registrationSecondsMin: 60,
  /** The longest registration of a device. */
  registrationSecondsMax: 3_600,
  /** Contacts that one user registers. */
  bindingsPerUserMax: 20,
  /** The pause before we register at a carrier again after a failure; it grows from there. */
  registerAgainMs: 5_000,
  /** The longest such pause. */
  registerAgainMsMax: 300_000,
  /** How often a trunk is probed with OPTIONS. */
  probeMs: 30_000,
  /** How long a nonce of digest authentication is good. */
  nonceMs: 300_000,
  /** Nonces whose use is counted. */
  noncesRememberedMax: 50_000,
  /** Wrong passwords of a source that are answered at once. */
  guessesWithoutDelay: 3,
  /** The delay of the answer to the next one; it doubles from there. */
  guessDelayMs: 250,
  /** The longest such delay. */
  guessDelayMsMax: 4_000,
  /** After so many wrong passwords a source is blocked. */
  guessesUntilBlocked: 20,
  /** Wrong passwords are forgotten after so long. */
  guessesForgottenMs: 900_000,
  /** Users behind one source that are known to have the right password, and are not blocked with it. */
  provenUsersPerSourceMax: 200,
}
