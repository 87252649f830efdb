import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useState } from 'react'

import { type Recording, type Waveform, waveformQuery } from '../../api/waveforms.ts'

/** Null if there is none. Asked for when the player comes into view: a list has many of them. */
export function useWaveform(
  recording: Recording | undefined,
  player: RefObject<HTMLElement | null>,
): Waveform | null | undefined {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    if (!player.current) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setSeen(true))
    observer.observe(player.current)
    return () => observer.disconnect()
  }, [player])
  const { data } = useQuery({
    ...waveformQuery(recording ?? { of: 'call', id: '' }),
    enabled: isSeen && recording !== undefined,
  })
  return data
}
