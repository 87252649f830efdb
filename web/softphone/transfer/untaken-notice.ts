import { useEffect, useRef } from 'react'

import { useTexts } from '../../i18n/language.tsx'
import { useReadableNumber } from '../../i18n/remote-numbers.ts'
import { useToast } from '../../ui/toast.tsx'
import type { ActiveCall } from '../queries.ts'
import { transferTexts } from './texts.ts'

/** The transfers that this page has cancelled: nobody needs to be told of those. */
const cancelled = new Set<string>()

export const cancelledHere = (transferId: string) => void cancelled.add(transferId)

/** Says that nobody took the call that the employee transferred, since they have the caller again without asking. */
export function useUntakenNotice(active: ActiveCall | undefined): void {
  const t = useTexts(transferTexts)
  const toast = useToast()
  const readable = useReadableNumber()
  const rang = useRef<{ id: string; name: string }>(undefined)
  const ringing = active && ringingOf(active, readable)
  useEffect(() => {
    const before = rang.current
    rang.current = ringing
    if (!before || ringing?.id === before.id || cancelled.has(before.id)) return
    // Without the call, or with a coworker in it, it was taken.
    if (active && !active.transfer) toast({ tone: 'good', text: t.untaken(before.name) })
  })
}

function ringingOf(
  { transfer, outside_transfer: outside, employees }: ActiveCall,
  readable: (n: string) => string,
) {
  if (outside) return { id: outside.id, name: readable(outside.number) }
  const isMine = employees.some(({ id }) => id === transfer?.to_employee.id)
  if (transfer?.state !== 'ringing' || !isMine) return undefined
  return { id: transfer.id, name: transfer.to_employee.name }
}
