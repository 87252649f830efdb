import { SPEECH_LIMITS, SpeechFailed } from '../port.ts'
import { encodeWav, SPEECH_SAMPLE_RATE } from './wav.ts'

export interface SpeakingRequest {
  text: string
  voice: string
}

type Synthesise = (request: SpeakingRequest, sound: SpeechBuffer) => Promise<void>

/** The audio so far. The engine stops when it is full. */
export class SpeechBuffer {
  #parts: Float32Array[] = []
  #length = 0

  get full(): boolean {
    return this.#length > (SPEECH_LIMITS.speechMsMax / 1_000) * SPEECH_SAMPLE_RATE
  }

  add(samples: Float32Array): void {
    this.#parts.push(samples)
    this.#length += samples.length
  }

  joined(): Float32Array {
    const joined = new Float32Array(this.#length)
    let at = 0
    for (const part of this.#parts) {
      joined.set(part, at)
      at += part.length
    }
    return joined
  }
}

/** Synthesises a WAV file. */
export const synthesiseWith = (synthesise: Synthesise) => async (request: SpeakingRequest) => {
  const sound = new SpeechBuffer()
  await synthesise(request, sound)
  if (sound.full) throw new SpeechFailed('text', 'The speech would be too long.')
  const wav = encodeWav(sound.joined())
  if (!wav) throw new SpeechFailed('text', 'The synthesis produced only silence.')
  return wav
}
