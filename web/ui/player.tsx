import { useState } from 'react'

interface PlayerProps {
  src: string
  label: string
  /** Called once, at the first playback. */
  onFirstPlay?(): void
  /** From 0 to 1, during playback. */
  onProgress?(share: number): void
}

/** Loads nothing before playback. */
export function Player({ src, label, onFirstPlay, onProgress }: PlayerProps) {
  // Each refetch has a newly signed link; a new one for the same audio would interrupt playback.
  const [playing, setPlaying] = useState<string>()
  const fresh = ownAddress(src)
  const address = playing !== undefined && pathOf(playing) === pathOf(fresh) ? playing : fresh
  return (
    // The transcript, if there is one, is shown beside it.
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
      // The link may have expired.
      onError={() => setPlaying(undefined)}
      onTimeUpdate={({ currentTarget: { currentTime, duration } }) => {
        if (duration > 0) onProgress?.(currentTime / duration)
      }}
    />
  )
}

/** Links are absolute, but this page may have been opened under another name of the same server. */
export function ownAddress(url: string): string {
  const { pathname, search } = new URL(url, window.location.href)
  return pathname + search
}

const pathOf = (address: string) => address.split('?')[0]
