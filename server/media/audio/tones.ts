import { SAMPLE_RATE, samplesIn } from './frame.ts'

/** A signal of sine waves: which ones, and for how long, step by step. */
export interface Tone {
  steps: readonly ToneStep[]
  /** Repeats until stopped. */
  loops: boolean
}

export interface ToneStep {
  /** Empty means silence. */
  hz: readonly number[]
  ms: number
}

/** Level of each sine: −15 dBm0, clearly audible beside speech, and far from clipping when two are added. */
const SINE_LEVEL = 0.18

/** Without a fade, the abrupt start or end of a sine is heard as a click. */
const FADE_MS = 4

const cadence = (hz: readonly number[], onMs: number, offMs: number): Tone => ({
  steps: [
    { hz, ms: onMs },
    { hz: [], ms: offMs },
  ],
  loops: true,
})

/** Call progress tones. Europe: ETSI TR 101 041; North America: ANSI T1.401. */
export const TONES = {
  beep: { steps: [{ hz: [1_000], ms: 400 }], loops: false },
  /** The recorder warning tone of Federal Standard 1037C. */
  recorderWarning: { steps: [{ hz: [1_400], ms: 200 }], loops: false },
  ringback: cadence([425], 1_000, 4_000),
  busy: cadence([425], 500, 500),
  congestion: cadence([425], 200, 200),
  ringbackNorthAmerica: cadence([440, 480], 2_000, 4_000),
  busyNorthAmerica: cadence([480, 620], 500, 500),
} as const satisfies Record<string, Tone>

export type ToneName = keyof typeof TONES

/** Renders all steps once. */
export function renderTone(tone: Tone, sampleRate: number = SAMPLE_RATE): Int16Array {
  const steps = tone.steps.map((step) => renderStep(step, sampleRate))
  const samples = new Int16Array(steps.reduce((sum, step) => sum + step.length, 0))
  let at = 0
  for (const step of steps) {
    samples.set(step, at)
    at += step.length
  }
  return samples
}

function renderStep({ hz, ms }: ToneStep, sampleRate: number): Int16Array {
  const length = Math.round((ms * sampleRate) / 1_000)
  const fade = Math.max(1, Math.round((FADE_MS * sampleRate) / 1_000))
  return Int16Array.from({ length }, (_, i) => {
    const edge = Math.min(1, (i + 1) / fade, (length - i) / fade)
    const sum = hz.reduce((total, each) => total + Math.sin((2 * Math.PI * each * i) / sampleRate), 0)
    return Math.round(32_767 * SINE_LEVEL * edge * sum)
  })
}

export const silence = (ms: number): Int16Array => new Int16Array(samplesIn(ms))
