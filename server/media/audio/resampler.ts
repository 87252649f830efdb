import { clampSample, SAMPLE_RATE } from './frame.ts'
import type { WavReader } from './wav-reader.ts'

/** Number of filter phases between two samples; the error stays below that of G.711. */
const PHASES = 512
/** Zero crossings of the filter on each side: it passes 3.4 kHz unchanged and attenuates aliases by 60 dB. */
const CROSSINGS = 24
/** The pass band, as a share of the Nyquist frequency. */
const ROLL_OFF = 0.92

/** Converts audio of any sample rate to 8 kHz; any part can be rendered on its own. */
export function createResampler(wav: WavReader) {
  const length = Math.floor((wav.frames * SAMPLE_RATE) / wav.sampleRate)
  const step = wav.sampleRate / SAMPLE_RATE
  if (step === 1)
    return { length, render: (from: number, to: number) => Int16Array.from(wav.read(from, to), toSample) }
  const { reach, filters } = bankFor(step)
  return {
    /** Number of samples at 8 kHz. */
    length,
    /** Samples [from, to) at 8 kHz. */
    render(from: number, to: number): Int16Array {
      const first = Math.floor(from * step) - reach
      const input = wav.read(first, Math.ceil(to * step) + reach + 2)
      const samples = new Int16Array(to - from)
      for (let i = from; i < to; i++) {
        // The nearest phase may belong to the next sample.
        const at = Math.round(i * step * PHASES)
        const filter = filters[at % PHASES]!
        const start = Math.floor(at / PHASES) - reach + 1 - first
        let sum = 0
        for (let tap = 0; tap < filter.length; tap++) sum += filter[tap]! * input[start + tap]!
        samples[i - from] = toSample(sum)
      }
      return samples
    },
  }
}

interface FilterBank {
  reach: number
  filters: Float32Array[]
}

/** Cached by conversion ratio: making the filters costs as much as filtering a second of audio. */
const banks = new Map<number, FilterBank>()
const BANKS_MAX = 8

function bankFor(step: number): FilterBank {
  const known = banks.get(step)
  if (known) return known
  const cutoff = Math.min(1, 1 / step) * ROLL_OFF
  const reach = Math.ceil(CROSSINGS / cutoff)
  const filters = Array.from({ length: PHASES }, (_, phase) => filterAt(phase / PHASES, reach, cutoff))
  if (banks.size >= BANKS_MAX) banks.clear()
  banks.set(step, { reach, filters })
  return { reach, filters }
}

/** A sinc with a Blackman window, scaled to a gain of 1 at 0 Hz. */
function filterAt(phase: number, reach: number, cutoff: number): Float32Array {
  const taps = Float32Array.from({ length: 2 * reach }, (_, tap) => {
    const x = tap - reach + 1 - phase
    const turn = (Math.PI * x) / reach
    const window = Math.abs(x) >= reach ? 0 : 0.42 + 0.5 * Math.cos(turn) + 0.08 * Math.cos(2 * turn)
    const sinc = x === 0 ? 1 : Math.sin(Math.PI * cutoff * x) / (Math.PI * cutoff * x)
    return sinc * window
  })
  const sum = taps.reduce((total, tap) => total + tap, 0)
  return taps.map((tap) => tap / sum)
}

const toSample = (value: number) => clampSample(Math.round(value * 32_767))
