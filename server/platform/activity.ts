/**
 * What this process is doing, to explain why its event loop was blocked. Notes are cheap: each reads the clock once,
 * and no text is built until it is needed.
 */

const RECENT_MAX = 8
const recent: string[] = []
let notes = 0
let current = 'starting'
let since = performance.now()
let longest = current
let longestMs = 0
let onNext: (() => void) | undefined

/** Called whenever work begins, or continues after an await. */
export function noteActivity(what: string): void {
  closeStretch()
  current = what
  recent[notes++ % RECENT_MAX] = what
  if (!onNext) return
  const tell = onNext
  onNext = undefined
  tell()
}

/** Calls `run` once, at the next note. Replaces an earlier function that was not called yet. */
export function atNextActivity(run: (() => void) | undefined): void {
  onNext = run
}

/** How many notes there were so far. */
export const countActivity = (): number => notes

/** Since the last call: the note before the longest time without one, and the latest notes. */
export function takeActivity(): { longest: string; recent: string[] } {
  closeStretch()
  longestMs = 0
  const newest = notes % RECENT_MAX
  return { longest, recent: [...new Set([...recent.slice(newest), ...recent.slice(0, newest)].toReversed())] }
}

function closeStretch(): void {
  const now = performance.now()
  if (now - since > longestMs) [longestMs, longest] = [now - since, current]
  since = now
}
