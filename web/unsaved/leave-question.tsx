import { useBlocker } from '@tanstack/react-router'

import { ConfirmDiscard } from '../ui/dialog.tsx'
import { hasUnsavedEdits } from './unsaved-edits.ts'

/** Before a page with unsaved edits is left; the browser asks in its own words before it is closed. */
export function LeaveQuestion() {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => hasUnsavedEdits() && current.pathname !== next.pathname,
    enableBeforeUnload: hasUnsavedEdits,
    withResolver: true,
  })
  return (
    <ConfirmDiscard open={status === 'blocked'} onClose={() => reset?.()} onConfirm={() => proceed?.()} />
  )
}
