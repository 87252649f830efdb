import { useRef } from 'react'

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
  const played = useRef(false)
  return (
    // Spoken words stand beside it as text where they are known.
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    <audio
      controls
      preload="none"
      src={ownAddress(src)}
      aria-label={label}
      className="h-9 w-full max-w-md"
      onPlay={() => {
        if (played.current) return
        played.current = true
        onFirstPlay?.()
      }}
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
