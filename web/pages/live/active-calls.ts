import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

import { activeCallsQuery } from '../../api/calls.ts'
import { onLiveMessage } from '../../live/calls-channel.ts'

const LIMITS = {
  /** Changes that come together are read together. */
  gatherMs: 300,
  /** A screen is left open for days: what it missed, it learns of. */
  lookMs: 60_000,
}

/** All live calls, kept up to date. A fetch finishes before the next one: otherwise a busy company would see none. */
export function useActiveCalls() {
  const queries = useQueryClient()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isReading = false
    let isStale = false
    const read = async () => {
      timer = undefined
      isReading = true
      isStale = false
      await queries.refetchQueries({ queryKey: activeCallsQuery().queryKey })
      isReading = false
      if (isStale) gather()
    }
    const gather = () => (timer ??= setTimeout(() => void read(), LIMITS.gatherMs))
    const stop = onLiveMessage(({ type }) => {
      if (type !== 'call_update') return
      isStale = true
      if (!isReading) gather()
    })
    return () => {
      stop()
      isStale = false
      clearTimeout(timer)
    }
  }, [queries])
  return useQuery({ ...activeCallsQuery(), refetchInterval: LIMITS.lookMs })
}
