import { type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

import { callsTodayQuery, liveCallsQuery } from '../../api/calls.ts'
import { type LiveMessage, onLiveMessage } from '../../live/calls-channel.ts'

const LIMITS = {
  /** Changes that come together are read together. */
  gatherMs: 300,
  /** Figures of a whole day cost more, and nobody sees them change twice in a second. */
  gatherFiguresMs: 3_000,
  /** A screen is left open for days: what it missed, it learns of, and that a new day has begun. */
  lookMs: 60_000,
}

/** All live calls, kept up to date. Of a call between coworkers, only the presence of both is published. */
export function useLiveCalls() {
  useReadAfter(liveCallsQuery().queryKey, ['call_update', 'presence_update'], LIMITS.gatherMs)
  return useQuery({ ...liveCallsQuery(), refetchInterval: LIMITS.lookMs })
}

export function useCallsToday() {
  useReadAfter(callsTodayQuery().queryKey, ['call_update'], LIMITS.gatherFiguresMs)
  return useQuery({ ...callsTodayQuery(), refetchInterval: LIMITS.lookMs })
}

/** A fetch finishes before the next one: otherwise a busy company would see none. */
function useReadAfter(queryKey: QueryKey, types: LiveMessage['type'][], gatherMs: number): void {
  const queries = useQueryClient()
  const [key, after] = [JSON.stringify(queryKey), types.join()]
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isReading = false
    let isStale = false
    const read = async () => {
      timer = undefined
      isReading = true
      isStale = false
      await queries.refetchQueries({ queryKey: JSON.parse(key) as QueryKey })
      isReading = false
      if (isStale) gather()
    }
    const gather = () => (timer ??= setTimeout(() => void read(), gatherMs))
    const stop = onLiveMessage(({ type }) => {
      if (!after.split(',').includes(type)) return
      isStale = true
      if (!isReading) gather()
    })
    return () => {
      stop()
      isStale = false
      clearTimeout(timer)
    }
  }, [queries, key, after, gatherMs])
}
