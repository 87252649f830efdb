/** What one client of the live channel may cost. */
export const LIVE_CHANNEL_LIMITS = {
  /** How often a client is pinged. Clients assume a dead connection after twice as long without a message. */
  pingMs: 3_000,
  /** Pings after which a client must show that it is alive, before as many more have passed. */
  pingsBetweenProofs: 10,
  /** A message from a client. */
  messageBytes: 4_096,
  /** WebSocket fragments of one message. */
  messageFragments: 16,
  /** Channels that one client subscribes to. */
  subscriptionsPerSocket: 16,
  /** Messages from a client, of any kind, in one window. */
  messagesPerWindow: 100,
  /** The window in which they are counted. */
  windowMs: 10_000,
  /** Unsent data for a slow client, in addition to the socket buffers: thousands of messages. */
  waitingBytes: 1_048_576,
  /** Time for a client to complete the closing handshake. */
  closeMs: 2_000,
  /** Credentials of new clients that are checked concurrently, so that requests do not wait for them. */
  checksAtOnce: 8,
  /** New clients that wait for that. When a process starts again, thousands come back within seconds. */
  checksWaiting: 500,
  /** Clients of one company at one process. */
  socketsPerCompany: 5_000,
  /** Clients of one process. */
  sockets: 20_000,
}
