import { FRAME_MS, FRAME_SAMPLES } from '../audio/frame.ts'
import { isSilent } from '../audio/silence.ts'
import { createWavWriter } from '../audio/wav-writer.ts'
import type { RecordEnd, RecordOptions } from '../port.ts'

/** Records a leg, and what it hears from others, frame by frame. */
export interface Recorder {
  /** Returns why the recording ends, if it does. */
  write(left: Int16Array, right: Int16Array): RecordEnd | undefined
  /** Returns the duration, and whether a write failed. */
  close(): Promise<{ durationMs: number; failed: boolean }>
}

export async function createRecorder(options: RecordOptions): Promise<Recorder> {
  const { channels, maxMs, silenceMs = Infinity } = options
  const writer = await createWavWriter(options.file, channels)
  const stereo = new Int16Array(FRAME_SAMPLES * 2)
  let quietMs = 0
  const durationMs = () => (writer.frames / FRAME_SAMPLES) * FRAME_MS
  return {
    write(left, right) {
      if (channels === 2) {
        for (let i = 0; i < FRAME_SAMPLES; i++) {
          stereo[2 * i] = left[i]!
          stereo[2 * i + 1] = right[i]!
        }
      }
      writer.append(channels === 2 ? stereo : left)
      if (silenceMs < Infinity) quietMs = isSilent(left) ? quietMs + FRAME_MS : 0
      if (writer.failure) return 'failed'
      if (durationMs() >= maxMs) return 'limit'
      return quietMs >= silenceMs ? 'silence' : undefined
    },
    async close() {
      const failure = await writer.close()
      return { durationMs: durationMs(), failed: failure !== undefined }
    },
  }
}
