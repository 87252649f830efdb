import { setTimeout as pause } from 'node:timers/promises'

import type { RunningBellhop } from '../environment/running-bellhop.ts'
import type { CallBook } from './calls.ts'
import type { Leg } from './leg.ts'

const LIMITS = { silenceMs: 5_000, lookMs: 250, hangUpMs: 2_000, endMs: 40_000 }

/**
 * For this long both must hear each other all the time, unless a fault affects their edges. Returns whether they did.
 */
export async function holdConversation(
  { stage, book }: { stage: RunningBellhop; book: CallBook },
  what: string,
  [one, other]: [Leg, Leg],
  ms: number,
): Promise<boolean> {
  const since = performance.now()
  // The signalling of a phone may go through another edge than its media.
  const isExcused = () => stage.rolesOf('edge').some((edge) => edge.wasHurtSince(since - LIMITS.silenceMs))
  let hasTalked = false
  while (performance.now() - since < ms || !hasTalked) {
    await pause(LIMITS.lookMs)
    const heardAt = Math.min(one.party.heardAt(other.party), other.party.heardAt(one.party))
    hasTalked ||= heardAt > since
    const isCut = one.isOver() || other.isOver()
    const isSilent = performance.now() - Math.max(heardAt, since) > LIMITS.silenceMs
    if (!isCut && !isSilent) continue
    // The exit of a process is noticed a moment later than that of its calls.
    await pause(LIMITS.lookMs * 4)
    if (!isExcused()) {
      const how = isCut ? `was cut off (${describe(one)}, ${describe(other)})` : 'went silent'
      book.broken.push(
        `at ${new Date().toISOString().slice(11, 19)} ${what} through ${one.edge()} and ${other.edge()} ${how}`,
      )
    }
    return false
  }
  book.talked++
  return true
}

const describe = (leg: Leg) => JSON.stringify(leg.ending() ?? 'still there')

/** The first hangs up; if the others are not notified in time, they do so too. */
export async function hangUp(legs: (Leg | undefined)[]): Promise<void> {
  const there = legs.filter((leg) => leg !== undefined && !leg.isOver()) as Leg[]
  const allEnded = Promise.all(there.map((leg) => leg.ended)).then(() => {})
  there[0]?.hangUp()
  await firstOf(LIMITS.hangUpMs, allEnded)
  for (const leg of there) leg.hangUp()
  await firstOf(LIMITS.endMs, allEnded)
}

/** Undefined when the time is over, or if one of those came first that have no result. */
export async function firstOf<T>(ms: number, ...among: Promise<T | void>[]): Promise<T | undefined> {
  const late = new AbortController()
  const timeout = pause(ms, undefined, { signal: late.signal }).catch(() => {})
  try {
    return (await Promise.race([...among, timeout])) as T | undefined
  } finally {
    late.abort()
  }
}
