/** Creates a value on first use, and returns the same one to all. */
export function lazy<T extends object | string>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

/**
 * Creates a value on first use, and returns the same one to all. A rejection is not kept: after a failure the next
 * call tries again.
 */
export function lazyAsync<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    }))
}
