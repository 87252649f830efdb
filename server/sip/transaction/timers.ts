/** RFC 3261 §17.1.1.1 and its table 4; RFC 6026 for L and M. In milliseconds. */
export const T1_MS = 500
export const T2_MS = 4_000
export const T4_MS = 5_000
export const TIMEOUT_64_T1_MS = 64 * T1_MS

/** §17.1.1.2: at least 32 s over unreliable transports. */
export const TIMER_D_MS = 32_000

/** §17.2.1: a server that needs longer than this for a response to an INVITE sends 100 Trying. */
export const TRYING_MS = 200
