/** Returns a function that runs what it is given under the same key in order, one at a time, whatever the outcome. */
export function inTurn() {
  const last = new Map<string, Promise<void>>()
  return <T>(key: string, run: () => Promise<T>): Promise<T> => {
    const result = (last.get(key) ?? Promise.resolve()).then(run)
    const forget = () => {
      if (last.get(key) === settled) last.delete(key)
    }
    const settled = result.then(forget, forget)
    last.set(key, settled)
    return result
  }
}
