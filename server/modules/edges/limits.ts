/** The limits of edges and of commands to them. */
export const EDGE_LIMITS = {
  /** How long a command to an edge is kept: nobody waits for its answer for longer than a request lasts. */
  commandSeconds: 3_600,
}

/** How an edge is known to live: one or two heartbeats may get lost before it counts as dead. */
export const EDGE_HEARTBEAT = {
  /** How often an edge sends a heartbeat. */
  everyMs: 3_000,
  /** An edge that has sent none for so long has died: its calls end, and its phones are registered nowhere. */
  timeoutSeconds: 10,
}
