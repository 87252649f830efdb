import type { Waveform } from '../../api/waveforms.ts'

interface WaveformBarsProps {
  waveform: Waveform
  /** What was played, from 0 to 1. */
  played: number
}

/** As many as can be told apart on a phone. */
const BARS_MAX = 64
/** In units of the drawing, which is stretched to its place. */
const HEIGHT = 100
const BAR_MIN = 6
const BAR_WIDTH = 0.6

/** What a recording looks like; the part that was played is in colour. */
export function WaveformBars({ waveform, played }: WaveformBarsProps) {
  const peaks = barsOf(waveform.peaks)
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${peaks.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="absolute inset-0 size-full"
    >
      {peaks.map((peak, index) => {
        const height = Math.max(BAR_MIN, peak)
        return (
          <rect
            // A bar is known by its place.
            key={index}
            x={index + (1 - BAR_WIDTH) / 2}
            y={(HEIGHT - height) / 2}
            width={BAR_WIDTH}
            height={height}
            className={index < played * peaks.length ? 'fill-accent' : 'fill-line-strong'}
          />
        )
      })}
    </svg>
  )
}

function barsOf(peaks: number[]): number[] {
  const bars = Math.min(peaks.length, BARS_MAX)
  const at = (bar: number) => Math.floor((bar * peaks.length) / bars)
  return Array.from({ length: bars }, (_, bar) => Math.max(...peaks.slice(at(bar), at(bar + 1))))
}
