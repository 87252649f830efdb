import { useCallback, useEffect, useRef } from 'react'

import { setWriting } from '../../../api/team-inbox.ts'

/** The server forgets it after 20 s. */
const LIMITS = { repeatMs: 10_000 }

/**
 * Tells coworkers that a text is being typed, and that it no longer is. A failure is of no concern: it is said again, or
 * forgotten by the server.
 */
export function useWriting(phone: string): (text: string) => void {
  const saidAt = useRef<number>(undefined)
  const say = useCallback(
    (writing: boolean) => {
      saidAt.current = writing ? Date.now() : undefined
      setWriting(phone, writing).catch(() => {})
    },
    [phone],
  )
  useEffect(
    () => () => {
      if (saidAt.current !== undefined) say(false)
    },
    [say],
  )
  return useCallback(
    (text: string) => {
      const isSaid = saidAt.current !== undefined && Date.now() - saidAt.current < LIMITS.repeatMs
      if (text.trim() === '') {
        if (saidAt.current !== undefined) say(false)
      } else if (!isSaid) say(true)
    },
    [say],
  )
}
