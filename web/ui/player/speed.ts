import { chosen, keepChoice } from '../theme/choice-cookie.ts'

const SPEEDS = [1, 1.25, 1.5, 2, 0.75]

/** The speed at which recordings are played at this browser. */
export function readSpeed(): number {
  const kept = Number(chosen('speed'))
  return SPEEDS.includes(kept) ? kept : 1
}

/** Chosen until another one is. */
export function nextSpeed(speed: number): number {
  const next = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length]!
  keepChoice('speed', String(next))
  return next
}
