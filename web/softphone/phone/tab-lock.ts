const NAME = 'bellhop.phone'

/**
 * Of several tabs of a browser one is the phone; the others wait until it closes. `isAlone` runs when this tab
 * becomes the phone, `isNot` when another does. Returns a function that makes this tab the phone.
 */
export function acquireTabLock(isAlone: () => void, isNot: () => void): () => void {
  // Only secure pages have locks; without them, each tab is a phone.
  if (!navigator.locks) {
    isAlone()
    return () => {}
  }
  /** Ends the last request: waiting for the lock, or holding it. */
  let end: (() => void) | undefined
  let turn = 0

  function ask(how: 'waiting' | 'taking'): void {
    const own = ++turn
    end?.()
    const waiting = new AbortController()
    end = () => waiting.abort()
    const have = () => {
      if (own !== turn) return undefined
      isAlone()
      return new Promise<void>((resolve) => (end = resolve))
    }
    const options = how === 'taking' ? { steal: true } : { signal: waiting.signal }
    navigator.locks.request(NAME, options, have).catch(() => {
      // Another tab has taken it.
      if (own === turn) standBack()
    })
  }

  function standBack(): void {
    isNot()
    ask('waiting')
  }

  const own = ++turn
  const first = (lock: Lock | null) => {
    if (own !== turn) return undefined
    if (!lock) return queueMicrotask(standBack)
    isAlone()
    return new Promise<void>((resolve) => (end = resolve))
  }
  navigator.locks.request(NAME, { ifAvailable: true }, first).catch(() => {
    if (own === turn) standBack()
  })

  return () => ask('taking')
}
