/** Every limit of the SIP library, with its unit. Times of RFC 3261 itself are in transaction/timers.ts. */
export const LIMITS = {
  messageBytesMax: 65_535,
  headerFieldsMax: 200,

  /** Of a source that is neither a trunk nor a registered device. */
  strangerMessagesPerSecond: 50,
  strangerMessagesBurst: 200,
  strangersRememberedMax: 10_000,
  connectionsPerSourceMax: 200,
  connectionsMax: 10_000,
  /** A connection that has brought no valid message by then is closed. */
  firstMessageMs: 30_000,
  connectMs: 5_000,
  unsentBytesMax: 1_048_576,
  /** RFC 5626 §4.4.1 lets a client choose below 120 s; NAT bindings often last no longer than 30. */
  keepAliveMs: 25_000,
  pongMs: 10_000,
  udpReceiveBufferBytes: 4_194_304,

  transactionsMax: 50_000,
}
