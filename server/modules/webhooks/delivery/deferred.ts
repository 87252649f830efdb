/** A signal that wakes whoever waits now or later, once. */
export function createDeferred() {
  let resolve: () => void
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve: () => resolve() }
}
