/**
 * What this process does, for whoever asks why it stood still. There is one event loop, so there is one of these. It
 * costs next to nothing: a look at the clock for each note, and no text is put together before somebody asks.
 */

const RECENT_MAX = 8
const recent: string[] = []
let notes = 0
let current = 'starting'
let since = performance.now()
let longest = current
let longestMs = 0

/** To be said whenever a piece of work begins, or goes on after a wait. */
export function nowDoing(what: string): void {
  closeStretch()
  current = what
  recent[notes++ % RECENT_MAX] = what
}

/** Since the last time this was asked: what was noted before the longest time without a note, and the last notes. */
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
