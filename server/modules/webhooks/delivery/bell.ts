/** A signal that wakes whoever waits now or later, once. */
export interface Bell {
  rung: Promise<void>
  ring(): void
}

export function createBell(): Bell {
  let resolve: () => void
  const rung = new Promise<void>((done) => (resolve = done))
  return { rung, ring: () => resolve() }
}
