import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'

import { answerOf, client } from '../../api/client.ts'
import { isOffline, useConnection } from '../../connection/reachability.ts'
import type { Phone } from '../phone/phone.ts'
import { type Status, statusOf } from './status.ts'

/** Refetched by the live channel when the presence changes, wherever it was changed. */
const presenceQuery = (id: string) =>
  queryOptions({
    queryKey: ['employees', id],
    queryFn: () => answerOf(client.GET('/api/v1/employees/{id}', { params: { path: { id } } })),
  })

/** The status of the signed-in employee, the same wherever it is shown. */
export function useStatus(phone: Phone, employeeId: string): Status {
  const { data: employee } = useQuery(presenceQuery(employeeId))
  const sources = {
    phone: useSyncExternalStore(phone.subscribe, phone.view),
    employee,
    isOffline: isOffline(useConnection()),
  }
  const expiresAt = employee?.do_not_disturb_expires_at
  return statusOf({ ...sources, now: useTimeUntil(expiresAt ? Date.parse(expiresAt) : 0) })
}

/** Once a phone has reconnected, what the page knew of its employee may be of before. */
export function usePresenceAfterReconnect(phone: Phone, employeeId: string): void {
  const queries = useQueryClient()
  const isReady = useSyncExternalStore(phone.subscribe, () => phone.view().state.in === 'ready')
  useEffect(() => {
    if (isReady) void queries.invalidateQueries(presenceQuery(employeeId))
  }, [isReady, queries, employeeId])
}

/** Browsers cannot wait for months at once. */
const LIMITS = { waitMs: 60 * 60_000 }

/** The time, read again when this moment has come. */
function useTimeUntil(moment: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (moment <= now) return
    const timer = setTimeout(() => setNow(Date.now()), Math.min(moment - Date.now(), LIMITS.waitMs))
    return () => clearTimeout(timer)
  }, [moment, now])
  return now
}
