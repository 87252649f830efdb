import { useState } from 'react'

interface PlayerProps {
  src: string
  label: string
  /** Told once, when it is first listened to. */
  onFirstPlay?(): void
  /** From 0 to 1, as it plays. */
  onProgress?(share: number): void
}

/** Loads nothing before it is asked to play. */
export function Player({ src, label, onFirstPlay, onProgress }: PlayerProps) {
  // Links are signed anew whenever they are read; another one for the same sound would cut it off.
  const [playing, setPlaying] = useState<string>()
  const fresh = ownAddress(src)
  const address = playing !== undefined && pathOf(playing) === pathOf(fresh) ? playing : fresh
  return (
    // Spoken words stand beside it as text where they are known.
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    <audio
      controls
      preload="none"
      src={address}
      aria-label={label}
      className="h-9 w-full max-w-md"
      onPlay={() => {
        setPlaying(address)
        if (playing === undefined) onFirstPlay?.()
      }}
      // It may have expired.
      onError={() => setPlaying(undefined)}
      onTimeUpdate={({ currentTarget: { currentTime, duration } }) => {
        if (duration > 0) onProgress?.(currentTime / duration)
      }}
    />
  )
}

/** Links are whole addresses, but this page may have been opened by another name of the same server. */
export function ownAddress(url: string): string {
  const { pathname, search } = new URL(url, window.location.href)
  return pathname + search
}

const pathOf = (address: string) => address.split('?')[0]
