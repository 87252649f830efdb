/** What one client may cost. */
export const LIMITS = {
  /** A client that hears nothing for twice as long takes the connection for dead. */
  pingMs: 3_000,
  /** After so many pings, the client must prove that it is still there before as many more. */
  pingsBetweenProofs: 10,
  /** Of what a client sends. */
  messageBytes: 4_096,
  messageFragments: 16,
  subscriptionsPerSocket: 16,
  /** Whatever a client sends, in any time of this length. */
  messagesPerWindow: 100,
  windowMs: 10_000,
  /** What may wait for a slow reader beyond what the system's own buffers hold: thousands of messages. */
  waitingBytes: 1_048_576,
  /** For the client's half of the goodbye. */
  closeMs: 2_000,
  socketsPerCompany: 5_000,
  sockets: 20_000,
}
