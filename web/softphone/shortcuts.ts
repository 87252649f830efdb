import { useEffect } from 'react'

import type { Phone } from './phone/phone.ts'

/** With Alt and Shift, which no field treats as text. */
const SHORTCUTS: Record<string, (phone: Phone) => void> = {
  KeyA: (phone) => void phone.answer(),
  KeyH: (phone) => (phone.view().state.in === 'ringing' ? phone.decline() : phone.hangUp()),
  KeyM: (phone) => phone.toggleMute(),
  KeyO: (phone) => phone.toggleHold(),
}

export function useShortcuts(phone: Phone): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const act = event.altKey && event.shiftKey ? SHORTCUTS[event.code] : undefined
      if (!act) return
      event.preventDefault()
      act(phone)
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [phone])
}
