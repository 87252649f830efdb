import { useEffect, useRef } from 'react'

import type { ActiveCall } from '../queries.ts'

/** Who is to get the caller of the call on this page. It is needed when the phone has left the call. */
let last: { callId: string; name: string } | undefined

/** Somebody may answer before this page has read that they are rung. */
export const keepTarget = (callId: string, name: string) => void (last = { callId, name })

export const targetOf = (callId: string | null) => (last?.callId === callId ? last.name : undefined)

/** Follows the transfer of the call: also one that another page has begun, or that came to nothing. */
export function useLastTarget(active: ActiveCall | undefined, nameOf: (number: string) => string): void {
  const wasSeen = useRef(false)
  useEffect(() => {
    if (!active) return
    const { call, transfer, outside_transfer: outside, employees } = active
    const isMine = employees.some(({ id }) => id === transfer?.to_employee.id)
    const name = outside ? nameOf(outside.number) : isMine ? transfer?.to_employee.name : undefined
    if (name !== undefined) keepTarget(call.id, name)
    else if (wasSeen.current) last = undefined
    wasSeen.current = name !== undefined
  })
}
