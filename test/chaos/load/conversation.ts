import { setTimeout as pause } from 'node:timers/promises'

import type { ChaosEnvironment } from '../environment/environment.ts'
import type { CallBook } from './calls.ts'
import type { Leg } from './leg.ts'

const LIMITS = { silenceMs: 5_000, lookMs: 250, hangUpMs: 2_000, endMs: 40_000 }

/** For so long both must hear the other all the while, as long as their edges are well. Whether they did. */
export async function holdConversation(
  { stage, book }: { stage: ChaosEnvironment; book: CallBook },
  what: string,
  [one, other]: [Leg, Leg],
  ms: number,
): Promise<boolean> {
  const since = performance.now()
  // The signalling of a phone may go through another edge than its sound.
  const isExcused = () => stage.rolesOf('edge').some((edge) => edge.wasHurtSince(since - LIMITS.silenceMs))
  let hasTalked = false
  while (performance.now() - since < ms || !hasTalked) {
    await pause(LIMITS.lookMs)
    const heardAt = Math.min(one.party.heardAt(other.party), other.party.heardAt(one.party))
    hasTalked ||= heardAt > since
    const isCut = one.isOver() || other.isOver()
    const isSilent = performance.now() - Math.max(heardAt, since) > LIMITS.silenceMs
    if (!isCut && !isSilent) continue
    // A process that has just died is noticed a moment later than its calls.
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

/** The first hangs up; whoever is not told of it in time does so too. */
export async function hangUp(legs: (Leg | undefined)[]): Promise<void> {
  const there = legs.filter((leg) => leg !== undefined && !leg.isOver()) as Leg[]
  const allEnded = Promise.all(there.map((leg) => leg.ended)).then(() => {})
  there[0]?.hangUp()
  await firstOf(LIMITS.hangUpMs, allEnded)
  for (const leg of there) leg.hangUp()
  await firstOf(LIMITS.endMs, allEnded)
}

/** Undefined when the time is over, or when one of those came first that bring nothing. */
export async function firstOf<T>(ms: number, ...among: Promise<T | void>[]): Promise<T | undefined> {
  const late = new AbortController()
  const timeout = pause(ms, undefined, { signal: late.signal }).catch(() => {})
  try {
    return (await Promise.race([...among, timeout])) as T | undefined
  } finally {
    late.abort()
  }
}
