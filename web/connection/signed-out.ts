import { useSyncExternalStore } from 'react'

import { hasUnsavedEdits } from '../unsaved/unsaved-edits.ts'

/** Reasons to keep this page although its session has ended. */
const reasons = new Set<() => boolean>([hasUnsavedEdits])
const listeners = new Set<() => void>()
let isAsked = false

export const stayWhile = (reason: () => boolean) => void reasons.add(reason)

function set(next: boolean): void {
  if (isAsked === next) return
  isAsked = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether the employee is asked to sign in again, in another window, so that nothing on this page is lost. */
export const useSignInAgain = () => useSyncExternalStore(subscribe, () => isAsked)

/** The employee has signed in again, or does not want to now: the next request that needs it asks again. */
export const stopAsking = () => set(false)

/** The session has ended, or is not there yet. */
export function sessionIsMissing(): void {
  if ([...reasons].some((reason) => reason())) set(true)
  else leaveFor('/sign-in')
}

export function leaveFor(path: string): void {
  const here = window.location.pathname + window.location.search
  window.location.assign(`${path}?return_to=${encodeURIComponent(here)}`)
}
