import { constants, setPriority } from 'node:os'

import { SPEECH_LIMITS } from '../port.ts'
import { encodeWav, SAMPLE_RATE } from './wav.ts'

export interface EngineRequest {
  text: string
  voice: string
}

export type EngineReply = { wav: Uint8Array } | { failed: 'text' | 'engine'; message: string }

type Synthesise = (request: EngineRequest, sound: Sound) => Promise<void>

/** What has been spoken so far. The engine stops when it is full. */
export class Sound {
  #parts: Float32Array[] = []
  #length = 0

  get full(): boolean {
    return this.#length > (SPEECH_LIMITS.speechMsMax / 1_000) * SAMPLE_RATE
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

/** The engine's side of engine.ts: answers each request with a WAV file or with what went wrong. */
export function serve(synthesise: Synthesise): void {
  // Calls in progress come first.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  // Ctrl-C and the like reach every process of the group; our owner decides when we end.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => {})
  process.on('disconnect', () => process.exit())
  process.on('message', (request: EngineRequest) => {
    void answer(synthesise, request).then((reply) => process.send?.(reply))
  })
}

async function answer(synthesise: Synthesise, request: EngineRequest): Promise<EngineReply> {
  try {
    const sound = new Sound()
    await synthesise(request, sound)
    if (sound.full) return { failed: 'text', message: 'The text takes too long to speak.' }
    const wav = encodeWav(sound.joined())
    return wav ? { wav } : { failed: 'text', message: 'The text makes no sound.' }
  } catch (error) {
    return { failed: 'engine', message: error instanceof Error ? error.message : String(error) }
  }
}
