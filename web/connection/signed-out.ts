import { useSyncExternalStore } from 'react'

import { createListeners } from '../ui/listeners.ts'
import { hasUnsavedEdits } from '../unsaved/unsaved-edits.ts'

/** Reasons to keep this page although its session has ended. */
const reasons = new Set<() => boolean>([hasUnsavedEdits])
const { subscribe, tell } = createListeners()

/** Without a session, the employee is asked to sign in again in another window, now or later. */
type SessionState = 'there' | 'asked for' | 'put off'
let state: SessionState = 'there'

export const stayWhile = (reason: () => boolean) => void reasons.add(reason)

function set(next: SessionState): void {
  if (state === next) return
  state = next
  tell()
}

export const useSessionState = () => useSyncExternalStore(subscribe, () => state)

export const sessionIsBack = () => set('there')
export const putSignInOff = () => set('put off')
export const askToSignIn = () => set('asked for')

/** The employee has put it off, and now needs it. */
export const askAgain = () => state === 'put off' && askToSignIn()

/** The session has ended, or is not there yet. Requests in the background learn of it again and again. */
export function sessionIsMissing(): void {
  if (state === 'put off') return
  if ([...reasons].some((reason) => reason())) askToSignIn()
  else leaveFor('/sign-in')
}

let isLeaving = false

/** Once: each further request that is refused meanwhile would begin to load the other page anew. */
export function leaveFor(path: string): void {
  if (isLeaving) return
  isLeaving = true
  // The browser may keep the page that is left, and show it again.
  window.addEventListener('pageshow', () => (isLeaving = false), { once: true })
  const here = window.location.pathname + window.location.search
  window.location.assign(`${path}?return_to=${encodeURIComponent(here)}`)
}
