/** Which companies were there lately. One that uses much of the process slows down only while others are there. */
export interface Presence {
  /** The company has something to do, and does not use much. The time is in ms. */
  note(companyId: string, at: number): void
  /** No other company was there lately. */
  isAlone(companyId: string, at: number): boolean
}

export function createPresence(presentMs: number): Presence {
  // Two are enough: at least one of them is another company than the one that asks.
  let latest = { id: '', at: -Infinity }
  let before = latest
  return {
    note(id, at) {
      if (latest.id !== id) before = latest
      latest = { id, at }
    },
    isAlone(id, at) {
      const other = latest.id === id ? before : latest
      // The clock of the machine may have been set back.
      return Math.abs(at - other.at) > presentMs
    },
  }
}
