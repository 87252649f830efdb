import { Download, FastForward, Pause, Play } from 'lucide-react'
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'

import type { Recording } from '../../api/waveforms.ts'
import { clockTime } from '../../i18n/dates.ts'
import { useTexts } from '../../i18n/language.tsx'
import { buttonClass, IconButton } from '../button.tsx'
import { endOfSilence, keepSkipsSilence, readSkipsSilence } from './skip-silence.ts'
import { nextSpeed, readSpeed } from './speed.ts'
import { playerTexts } from './texts.ts'
import { useWaveform } from './use-waveform.ts'
import { WaveformBars } from './waveform.tsx'

export interface PlayerHandle {
  /** Plays from this position. */
  playFrom(seconds: number): void
}

interface PlayerProps {
  src: string
  label: string
  /** Whose recording it is: then its waveform is shown, and its length is known at once. */
  recording?: Recording
  /** The length, if it is known before the audio is loaded. */
  seconds?: number
  ref?: Ref<PlayerHandle>
  /** Called once, at the first playback. */
  onFirstPlay?(): void
  /** In seconds, once it is known. */
  onLength?(length: number): void
  /** In seconds, during playback. */
  onProgress?(position: number): void
}

/** Loads no more than the length before playback, and not even that if it is known. */
export function Player(props: PlayerProps) {
  const { src, label, recording, seconds, ref, onFirstPlay, onLength, onProgress } = props
  const t = useTexts(playerTexts)
  const audio = useRef<HTMLAudioElement>(null)
  const { address, keepAddress, renewAddress } = useAddress(src)
  const [isPlaying, setPlaying] = useState(false)
  const [position, setPosition] = useState(0)
  const box = useRef<HTMLDivElement>(null)
  const waveform = useWaveform(recording, box)
  const [loaded, setLoaded] = useState<number>()
  const measured = waveform ? waveform.duration_ms / 1_000 : undefined
  const length = loaded ?? measured ?? seconds ?? 0
  const [skips, setSkips] = useState(readSkipsSilence)
  const [speed, setSpeed] = useState(readSpeed)
  const seek = (to: number) => {
    audio.current!.currentTime = to
    setPosition(to)
  }
  const play = () => void audio.current!.play().catch(renewAddress)
  useEffect(() => {
    if (measured !== undefined) onLength?.(measured)
  }, [measured, onLength])
  useImperativeHandle(ref, () => ({
    playFrom(to) {
      seek(to)
      play()
    },
  }))
  return (
    <div ref={box} role="group" aria-label={label} className="flex w-full max-w-lg items-center gap-2">
      {/* The transcript, if there is one, is shown beside it. */}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
      <audio
        ref={audio}
        preload={seconds === undefined && (!recording || waveform === null) ? 'metadata' : 'none'}
        src={address}
        onLoadedMetadata={({ currentTarget }) => {
          setLoaded(currentTarget.duration)
          onLength?.(currentTarget.duration)
          currentTarget.playbackRate = speed
        }}
        onPlay={({ currentTarget }) => {
          currentTarget.playbackRate = speed
          setPlaying(true)
          if (keepAddress()) onFirstPlay?.()
        }}
        onPause={() => setPlaying(false)}
        onEnded={() => setPlaying(false)}
        // The link may have expired.
        onError={renewAddress}
        onTimeUpdate={({ currentTarget }) => {
          const end =
            skips && isPlaying && waveform ? endOfSilence(waveform, currentTarget.currentTime) : undefined
          if (end !== undefined) currentTarget.currentTime = end
          setPosition(currentTarget.currentTime)
          onProgress?.(currentTarget.currentTime)
        }}
      />
      <IconButton
        look="quiet"
        label={isPlaying ? t.pause : t.play}
        className="rounded-full!"
        onClick={() => (isPlaying ? audio.current!.pause() : play())}
      >
        {isPlaying ? <Pause size={16} /> : <Play size={16} />}
      </IconButton>
      <span className="text-xs text-soft tabular-nums">{clockTime(position)}</span>
      <span className="relative h-9 min-w-0 flex-1 rounded-md has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent">
        {waveform && <WaveformBars waveform={waveform} played={length === 0 ? 0 : position / length} />}
        <input
          type="range"
          aria-label={t.position}
          aria-valuetext={t.positionOf(clockTime(position), clockTime(length))}
          className={`absolute inset-0 size-full accent-accent ${waveform ? 'cursor-pointer opacity-0' : ''}`}
          min={0}
          max={length}
          step="any"
          value={position}
          onChange={({ target }) => seek(target.valueAsNumber)}
        />
      </span>
      <span className="text-xs text-soft tabular-nums">{clockTime(length)}</span>
      <button
        type="button"
        aria-label={t.speed(speed)}
        title={t.speed(speed)}
        className={buttonClass({ look: 'bare', size: 'small' })}
        onClick={() => {
          const next = nextSpeed(speed)
          setSpeed(next)
          audio.current!.playbackRate = next
        }}
      >
        {speed}×
      </button>
      {waveform && waveform.silences.length > 0 && (
        <IconButton
          label={t.skipSilence}
          aria-pressed={skips}
          className="aria-pressed:bg-accent-ground aria-pressed:text-accent"
          onClick={() => {
            keepSkipsSilence(!skips)
            setSkips(!skips)
          }}
        >
          <FastForward size={16} />
        </IconButton>
      )}
      <a
        href={address}
        download
        aria-label={t.download}
        title={t.download}
        className={buttonClass({ look: 'bare', size: 'icon' })}
      >
        <Download size={16} />
      </a>
    </div>
  )
}

/** Each refetch has a newly signed link; a new one for the same audio would interrupt playback. */
function useAddress(src: string) {
  const [kept, keep] = useState<string>()
  const fresh = ownAddress(src)
  const address = kept !== undefined && pathOf(kept) === pathOf(fresh) ? kept : fresh
  return {
    address,
    /** Whether it was not kept before. */
    keepAddress() {
      keep(address)
      return kept === undefined
    },
    renewAddress: () => keep(undefined),
  }
}

/** Links are absolute, but this page may have been opened under another name of the same server. */
export function ownAddress(url: string): string {
  const { pathname, search } = new URL(url, window.location.href)
  return pathname + search
}

const pathOf = (address: string) => address.split('?')[0]
