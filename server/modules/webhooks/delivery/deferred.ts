/** A signal that wakes whoever waits now or later, once. */
export interface Deferred {
  promise: Promise<void>
  resolve(): void
}

export function createDeferred(): Deferred {
  let resolve: () => void
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve: () => resolve() }
}
