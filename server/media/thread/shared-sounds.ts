import { createHash } from 'node:crypto'

import { MEDIA_LIMITS } from '../limits.ts'
import type { PlaybackSource } from '../port.ts'

type Wav = Extract<PlaybackSource, { wav: Uint8Array }>

/**
 * Audio in memory that all threads share: a greeting that is played to every caller is copied once. The same bytes get
 * the same id, whoever read them, so that the thread need not look at them again.
 */
export function createSharedSounds() {
  const kept = new Map<string, Wav>()
  /** Bytes that are played again, such as hold music, are not hashed again either. */
  const known = new WeakMap<Uint8Array, Wav>()
  let bytes = 0

  function keep(sound: Wav): void {
    kept.set(sound.id!, sound)
    bytes += sound.wav.length
    for (const [id, oldest] of kept) {
      if (bytes <= MEDIA_LIMITS.soundsSharedBytesMax) break
      kept.delete(id)
      bytes -= oldest.wav.length
    }
  }

  function shareBytes(wav: Uint8Array): Wav {
    const id = createHash('sha256').update(wav).digest('base64')
    const found = kept.get(id)
    if (found) {
      kept.delete(id)
      kept.set(id, found)
      return found
    }
    const shared = new Uint8Array(new SharedArrayBuffer(wav.length))
    shared.set(wav)
    const sound = { wav: shared, id }
    keep(sound)
    return sound
  }

  return {
    share(sound: PlaybackSource): PlaybackSource {
      if (!('wav' in sound)) return sound
      const shared = known.get(sound.wav) ?? shareBytes(sound.wav)
      known.set(sound.wav, shared)
      return shared
    },
  }
}
