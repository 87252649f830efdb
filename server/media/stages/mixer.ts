import { clampSample, FRAME_SAMPLES } from '../audio/frame.ts'

/** For each leg, the sum of all others. */
export function mixFrames(frames: Int16Array[]): Int16Array[] {
  const sum = new Int32Array(FRAME_SAMPLES)
  for (const frame of frames) for (let i = 0; i < FRAME_SAMPLES; i++) sum[i]! += frame[i]!
  return frames.map((own) => {
    const others = new Int16Array(FRAME_SAMPLES)
    for (let i = 0; i < FRAME_SAMPLES; i++) others[i] = clampSample(sum[i]! - own[i]!)
    return others
  })
}
