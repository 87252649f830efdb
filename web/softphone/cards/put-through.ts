import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'

import { sessionQuery } from '../../api/session.ts'
import { useCoworkerOf } from '../dialing/coworkers.ts'
import type { Phone } from '../phone/phone.ts'
import type { PhoneCall } from '../phone/state.ts'
import { activeCallQuery, readInternalCallId } from '../queries.ts'

/**
 * A coworker may put the employee through to a customer: the call on the phone goes on, but with somebody else. The
 * server knows it then as a call with a customer, and no longer as an internal one.
 */
export function usePutThrough(phone: Phone, call: PhoneCall): void {
  const isInternal = useCoworkerOf(call) !== undefined
  const { data: session } = useQuery(sessionQuery())
  const { data: active, dataUpdatedAt } = useQuery({ ...activeCallQuery(), enabled: isInternal })
  const employeeId = session?.employee.id
  useEffect(() => {
    if (!isInternal || !active || employeeId === undefined) return
    let isWanted = true
    const { id, direction, from, to } = active.call
    const isInbound = direction === 'inbound'
    async function look(employee: string): Promise<void> {
      // They may have the customer on another phone, and talk to the coworker on this one.
      if ((await readInternalCallId(employee)) !== null || !isWanted) return
      phone.putThrough({
        id,
        direction: isInbound ? 'incoming' : 'outgoing',
        other: isInbound ? from : to,
        number: isInbound ? to : from,
      })
    }
    void look(employeeId)
    return () => {
      isWanted = false
    }
  }, [phone, isInternal, active, dataUpdatedAt, employeeId])
}
