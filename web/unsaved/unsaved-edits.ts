import { useEffect } from 'react'

/** The forms on this page whose edits are not saved. */
const unsaved = new Set<object>()

export const hasUnsavedEdits = () => unsaved.size > 0

/** They belong to somebody who has signed out. */
export const forgetUnsavedEdits = () => unsaved.clear()

/** While a form has edits, nobody leaves the page without being asked. */
export function useUnsavedEdits(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return undefined
    const form = {}
    unsaved.add(form)
    return () => void unsaved.delete(form)
  }, [isChanged])
}
