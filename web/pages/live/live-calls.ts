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

interface Watched {
  queryKey: QueryKey
  /** The messages after which it is read again. */
  after: LiveMessage['type'][]
  gatherMs: number
}

const LIVE_CALLS: Watched = {
  queryKey: liveCallsQuery().queryKey,
  // Of a call between coworkers, only the presence of both is published.
  after: ['call_update', 'presence_update'],
  gatherMs: LIMITS.gatherMs,
}

const CALLS_TODAY: Watched = {
  queryKey: callsTodayQuery().queryKey,
  after: ['call_update'],
  gatherMs: LIMITS.gatherFiguresMs,
}

export function useLiveCalls() {
  useReadAfterChanges(LIVE_CALLS)
  return useQuery({ ...liveCallsQuery(), refetchInterval: LIMITS.lookMs })
}

export function useCallsToday() {
  useReadAfterChanges(CALLS_TODAY)
  return useQuery({ ...callsTodayQuery(), refetchInterval: LIMITS.lookMs })
}

/** A fetch finishes before the next one: otherwise a busy company would see none. */
function useReadAfterChanges(watched: Watched): void {
  const queries = useQueryClient()
  useEffect(() => {
    const { queryKey, after, gatherMs } = watched
    let timer: ReturnType<typeof setTimeout> | undefined
    let isReading = false
    let isStale = false
    const read = async () => {
      timer = undefined
      isReading = true
      isStale = false
      await queries.refetchQueries({ queryKey })
      isReading = false
      if (isStale) gather()
    }
    const gather = () => (timer ??= setTimeout(() => void read(), gatherMs))
    const stop = onLiveMessage(({ type }) => {
      if (!after.includes(type)) return
      isStale = true
      if (!isReading) gather()
    })
    return () => {
      stop()
      isStale = false
      clearTimeout(timer)
    }
  }, [queries, watched])
}
