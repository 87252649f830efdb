export interface Listeners {
  /** As `useSyncExternalStore` calls it. */
  subscribe(listener: () => void): () => void
  tell(): void
}

/** For state outside of React that components follow. */
export function createListeners(): Listeners {
  const listeners = new Set<() => void>()
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    tell() {
      for (const listener of listeners) listener()
    },
  }
}
