import { type KeyboardEvent, useSyncExternalStore } from 'react'

import { createListeners } from '../ui/listeners.ts'

/** Which key sends a text; the other one begins a new line, as Shift and Enter always does. */
export const SEND_KEYS = ['enter', 'ctrl_enter'] as const
export type SendKey = (typeof SEND_KEYS)[number]

/** By employee, in the browser: it is a habit at this keyboard, and must not wait for the server. */
const nameOf = (employeeId: string) => `bellhop.send-key.${employeeId}`

const { subscribe, tell } = createListeners()

const chosenSendKey = (employeeId: string): SendKey =>
  localStorage.getItem(nameOf(employeeId)) === 'ctrl_enter' ? 'ctrl_enter' : 'enter'

export const useSendKey = (employeeId: string) =>
  useSyncExternalStore(subscribe, () => chosenSendKey(employeeId))

export function chooseSendKey(employeeId: string, key: SendKey): void {
  localStorage.setItem(nameOf(employeeId), key)
  tell()
}

/** The keyboards of touch screens have no Shift and Enter: there, Enter is always a new line. */
const isTouch = window.matchMedia('(pointer: coarse)')

export function isSending(event: KeyboardEvent, chosen: SendKey): boolean {
  // While an input method composes a character, Enter chooses it.
  if (event.key !== 'Enter' || event.shiftKey || event.altKey || event.nativeEvent.isComposing) return false
  return event.ctrlKey || event.metaKey || (chosen === 'enter' && !isTouch.matches)
}
