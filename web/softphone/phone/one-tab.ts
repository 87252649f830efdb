const NAME = 'bellhop.phone'

/**
 * Of several tabs of a browser one is the phone; the others wait until it closes. `isAlone` runs when this tab is the
 * one, `isNot` when another is. The returned function makes
 * this tab the phone.
 */
export function beTheOnlyTab(isAlone: () => void, isNot: () => void): () => void {
  // Only secure pages have locks; where there are none, each tab is a phone.
  if (!navigator.locks) {
    isAlone()
    return () => {}
  }
  /** Ends what was asked for last: waiting for it, or having it. */
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
