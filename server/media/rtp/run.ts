/** One run of packets of our own making, numbered from its beginning. */
export interface Run {
  sequence: number
  timestamp: number
}

export const newRun = (): Run => ({ sequence: 0, timestamp: 0 })
