import { useEffect, useRef } from 'react'

/** What keys do on the page that is open. */
export type Keys = Record<string, () => void>

/** Keys without a modifier: they are left alone in fields and dialogs, where they mean text. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const act = latest.current[event.key]
      if (!act || event.ctrlKey || event.metaKey || event.altKey || isTaken(event.target)) return
      event.preventDefault()
      act()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}

const isTaken = (target: EventTarget | null) =>
  document.querySelector('[role=dialog], [role=menu]') !== null ||
  (target instanceof Element &&
    target.closest('input:not([type=radio]), select, textarea, [contenteditable]') !== null)
