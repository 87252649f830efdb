/** A run of packets that we generate, numbered from its beginning. */
export interface Run {
  sequence: number
  timestamp: number
}

export const newRun = (): Run => ({ sequence: 0, timestamp: 0 })
