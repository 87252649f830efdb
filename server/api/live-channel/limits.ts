/** What one client of the live channel may cost. */
export const LIVE_CHANNEL_LIMITS = {
  /** How often a client is pinged. One that hears nothing for twice as long takes the connection for dead. */
  pingMs: 3_000,
  /** After so many pings, the client must prove that it is still there before as many more. */
  pingsBetweenProofs: 10,
  /** One message of a client. */
  messageBytes: 4_096,
  /** WebSocket fragments that one message may come in. */
  messageFragments: 16,
  /** Channels that one client subscribes to. */
  subscriptionsPerSocket: 16,
  /** Messages of a client, of whatever kind, in one window. */
  messagesPerWindow: 100,
  /** The window in which they are counted. */
  windowMs: 10_000,
  /** What may wait for a slow reader beyond what the buffers of the system hold: thousands of messages. */
  waitingBytes: 1_048_576,
  /** How long the other half of the closing handshake is waited for. */
  closeMs: 2_000,
  /** Clients of one company at one process. */
  socketsPerCompany: 5_000,
  /** Clients of one process. */
  sockets: 20_000,
}
