/** The limits of the SIP library. The timers of RFC 3261 are in transaction/timers.ts. */
export const SIP_LIMITS = {
  /** One SIP message. */
  messageBytesMax: 65_535,
  /** Header fields of a message. */
  headerFieldsMax: 200,
  /** Messages from an unknown source: neither a trunk nor a registered device. */
  unknownSourceMessagesPerSecond: 50,
  /** Messages that an unknown source may send in a burst. */
  unknownSourceMessagesBurst: 200,
  /** Unknown sources that are remembered. */
  unknownSourcesMax: 10_000,
  /** Addresses of which a trunk remembers whether they are its own. */
  knownAddressesMax: 1_000,
  /** Connections from an unknown source. */
  connectionsPerSourceMax: 200,
  /** Connections from all sources. */
  connectionsMax: 10_000,
  /** Connections that wait to be accepted, such as those of all phones when an edge starts again. */
  connectionsWaitingMax: 4_096,
  /** When a browser beyond these limits is asked to try again. */
  connectAgainSeconds: 60,
  /** A connection is closed after this long without a valid message. */
  firstMessageMs: 30_000,
  /** A connection is closed if a message is incomplete after this long. */
  wholeMessageMs: 30_000,
  /** Time to connect to a peer. */
  connectMs: 5_000,
  /** Time for one DNS query. */
  dnsMs: 2_000,
  /** How often a DNS query is tried. */
  dnsTriesMax: 2,
  /** Unsent data for a slow peer, before its connection is closed. */
  unsentBytesMax: 1_048_576,
  /**
   * The interval of keep-alives: RFC 5626 §4.4.1 allows a client up to 120 s, but NAT bindings often last no longer
   * than 30 s.
   */
  keepAliveMs: 25_000,
  /** Time for the response to a keep-alive. */
  pongMs: 10_000,
  /** The receive buffer of the UDP socket. */
  udpReceiveBufferBytes: 4_194_304,
  /** Concurrent transactions, beyond which new calls are rejected. */
  transactionsMax: 50_000,
  /** Additional transactions for existing calls: a BYE must not be rejected. */
  transactionsReserved: 10_000,
  /** Time to answer an SDP offer of the peer, before it is rejected. */
  offerAnswerMs: 20_000,
  /** How often an SDP offer is tried if it collides with one of the peer (glare). */
  offerAttemptsMax: 5,
  /** The pause before a rejected session refresh is retried, until the session expires. */
  refreshAgainMs: 10_000,
  /** How often a request is resent to meet a demand of the peer, such as for credentials. */
  demandsMetMax: 3,
  /** Time for a host of a trunk to send any response, if there is another host to try. */
  firstAnswerMs: 4_000,
  /** Time for a registered device to send any response; phones respond at once. */
  deviceAnswerMs: 10_000,
  /** The shortest registration of a device. */
  registrationSecondsMin: 60,
  /** The longest registration of a device. */
  registrationSecondsMax: 3_600,
  /** The shortest subscription of a phone. */
  subscriptionSecondsMin: 60,
  /** The longest subscription of a phone. */
  subscriptionSecondsMax: 3_600,
  /** Subscriptions of one device: a desk phone with its expansion modules has a lamp for each of its keys. */
  subscriptionsPerUserMax: 200,
  /** Subscriptions of all devices. */
  subscriptionsMax: 20_000,
  /** Bindings of one address of record. */
  bindingsPerUserMax: 20,
  /** The pause before a failed registration at a carrier is retried; it grows with each failure. */
  registerAgainMs: 5_000,
  /** The longest such pause. */
  registerAgainMsMax: 300_000,
  /** How often a trunk is probed with OPTIONS. */
  probeMs: 30_000,
  /** How long a nonce of digest authentication is valid. */
  nonceMs: 300_000,
  /** Nonces whose nonce count is tracked. */
  noncesRememberedMax: 50_000,
  /** Wrong passwords from a source that get a response without delay. */
  guessesWithoutDelay: 3,
  /** The delay of the response to the next one; it doubles with each. */
  guessDelayMs: 250,
  /** The longest such delay. */
  guessDelayMsMax: 4_000,
  /** After this many wrong passwords, a source is blocked. */
  guessesUntilBlocked: 20,
  /** Wrong passwords are no longer counted after this long. */
  guessesForgottenMs: 900_000,
  /** How long a challenged request may take to be repeated with a password, before its sender counts as without one. */
  challengeMetMs: 5_000,
  /** Challenged requests that are watched for that. */
  challengesWatchedMax: 1_000,
  /** Call-IDs of authenticated peers whose messages are kept in memory for `bellhop call trace`. */
  traceDialogsMax: 5_000,
  /** The text of all those messages. */
  traceBytesMax: 33_554_432,
  /** Call-IDs of unknown peers whose messages are kept. */
  traceUnknownDialogsMax: 200,
  /** The text of those. */
  traceUnknownBytesMax: 2_097_152,
  /** Messages kept of one Call-ID, from its beginning. */
  traceMessagesPerDialogMax: 200,
  /** What is kept of one message, from its beginning. */
  traceMessageBytesMax: 8_192,
  /** Users at one source who have authenticated, and are exempt when it is blocked. */
  provenUsersPerSourceMax: 200,
}
