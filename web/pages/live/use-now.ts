import { useEffect, useState } from 'react'

/** In ms since 1970; changes every second. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** None if it is not known since when. */
export const secondsSince = (at: string | null, now: number): number =>
  at === null ? 0 : (now - new Date(at).getTime()) / 1000
