/** Telephone audio: 8,000 samples a second, processed in frames of 20 ms. */
export const SAMPLE_RATE = 8_000
export const FRAME_MS = 20
export const FRAME_SAMPLES = (SAMPLE_RATE * FRAME_MS) / 1_000

export const samplesIn = (ms: number): number => Math.round((ms * SAMPLE_RATE) / 1_000)

export const clampSample = (value: number): number =>
  value > 32_767 ? 32_767 : value < -32_768 ? -32_768 : value
