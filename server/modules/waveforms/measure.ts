import { nextTurn } from '../../platform/event-loop.ts'
import { WAVEFORM_LIMITS } from './limits.ts'
import type { Silence, Waveform } from './schemas.ts'

/** A recording, with all channels mixed. */
export interface SoundReader {
  sampleRate: number
  frames: number
  /** Frames [from, to) from -1 to 1; silence outside of the recording. */
  read(from: number, to: number): Promise<Float32Array>
}

/** Speech is measured in parts that are shorter than a syllable. */
const WINDOW_MS = 50
/** Below this it is noise: -42 dB of full scale. */
const QUIET = 0.008
const SECONDS_AT_ONCE = 30

/** Measures a recording from beginning to end. Others have their turn meanwhile. */
export async function measureWaveform(sound: SoundReader): Promise<Waveform> {
  const { frames, sampleRate } = sound
  const window = Math.round((sampleRate * WINDOW_MS) / 1_000)
  const windows = Math.ceil(frames / window)
  const levels = new Float32Array(windows)
  const quiet = new Uint8Array(windows)
  const perTurn = Math.floor((SECONDS_AT_ONCE * 1_000) / WINDOW_MS)
  for (let first = 0; first < windows; first += perTurn) {
    const last = Math.min(first + perTurn, windows)
    const samples = await sound.read(first * window, last * window)
    for (let at = first; at < last; at++) {
      const { peak, rms } = loudness(samples.subarray((at - first) * window, (at - first + 1) * window))
      levels[at] = peak
      quiet[at] = rms < QUIET ? 1 : 0
    }
    await nextTurn()
  }
  const duration_ms = Math.round((frames / sampleRate) * 1_000)
  return { duration_ms, peaks: barsOf(levels, duration_ms), silences: silencesIn(quiet, duration_ms) }
}

function loudness(samples: Float32Array): { peak: number; rms: number } {
  let peak = 0
  let sum = 0
  for (const sample of samples) {
    peak = Math.max(peak, Math.abs(sample))
    sum += sample * sample
  }
  return { peak, rms: Math.sqrt(sum / Math.max(1, samples.length)) }
}

function barsOf(levels: Float32Array, durationMs: number): number[] {
  const { barsMax, barMs } = WAVEFORM_LIMITS
  const bars = Math.max(1, Math.min(barsMax, Math.ceil(durationMs / barMs), levels.length))
  const loudest = levels.reduce((most, level) => Math.max(most, level), 0)
  return Array.from({ length: bars }, (_, bar) => {
    const from = Math.floor((bar * levels.length) / bars)
    const to = Math.floor(((bar + 1) * levels.length) / bars)
    const level = levels.subarray(from, to).reduce((most, one) => Math.max(most, one), 0)
    return loudest === 0 ? 0 : Math.round((level / loudest) * 100)
  })
}

function silencesIn(quiet: Uint8Array, durationMs: number): Silence[] {
  const { silenceMs, marginMs, silencesMax } = WAVEFORM_LIMITS
  const found: Silence[] = []
  let since = -1
  for (let at = 0; at <= quiet.length && found.length < silencesMax; at++) {
    if (quiet[at] === 1) {
      if (since === -1) since = at
      continue
    }
    if (since !== -1 && (at - since) * WINDOW_MS >= silenceMs) {
      const end = Math.min(at * WINDOW_MS, durationMs)
      found.push({ start_ms: since * WINDOW_MS + marginMs, end_ms: end - marginMs })
    }
    since = -1
  }
  return found
}
