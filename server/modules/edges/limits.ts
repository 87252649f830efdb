/** The limits of edges and of commands to them. */
export const EDGE_LIMITS = {
  /** How long a command to an edge is kept: longer than any request waits for its result. */
  commandSeconds: 3_600,
}

/** The heartbeat of an edge: one or two may get lost before the edge counts as dead. */
export const EDGE_HEARTBEAT = {
  /** How often an edge sends a heartbeat. */
  everyMs: 3_000,
  /** An edge whose last heartbeat is older is dead: its calls end, and its devices are deregistered. */
  timeoutSeconds: 10,
}
