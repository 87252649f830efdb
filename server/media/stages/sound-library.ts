import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'

import type { Clock } from '../../platform/clock.ts'
import { createResampler } from '../audio/resampler.ts'
import { renderTone, type ToneName, TONES } from '../audio/tones.ts'
import { openWav } from '../audio/wav-reader.ts'
import { MEDIA_LIMITS } from '../limits.ts'
import { MediaFailed, type PlaybackSource } from '../port.ts'
import { type EncodedSound, encodedSound } from './player.ts'

/** A cache of audio that is ready to be played. */
export function createSoundLibrary(clock: Clock) {
  const kept = new Map<string, EncodedSound>()
  const loading = new Map<string, Promise<EncodedSound>>()

  function keep(key: string, sound: EncodedSound): void {
    kept.delete(key)
    kept.set(key, sound)
    let bytes = 0
    for (const each of kept.values()) bytes += each.bytes
    for (const [oldest, each] of kept) {
      if (bytes <= MEDIA_LIMITS.soundsKeptBytesMax) break
      kept.delete(oldest)
      bytes -= each.bytes
    }
  }

  async function once(key: string, make: () => Promise<EncodedSound>): Promise<EncodedSound> {
    const found = kept.get(key)
    if (found) {
      keep(key, found)
      return found
    }
    const running = loading.get(key)
    if (running) return running
    const made = make().finally(() => loading.delete(key))
    loading.set(key, made)
    keep(key, await made)
    return made
  }

  return {
    /** Rejects with MediaFailed('sound') if it cannot be played. */
    async load(sound: PlaybackSource): Promise<EncodedSound> {
      if ('tone' in sound) return once(`tone ${sound.tone}`, async () => encodedTone(sound.tone))
      // A greeting is played to many callers, and hashing it costs far less than converting it.
      if ('wav' in sound)
        return once(`wav ${sound.id ?? digestOf(sound.wav)}`, () =>
          decodeSound(Buffer.from(sound.wav), clock),
        )
      const { size, mtimeMs } = await stat(sound.file).catch(unplayable)
      if (size > MEDIA_LIMITS.soundFileBytesMax) throw unusable('too large')
      // A file that was written anew is another sound.
      return once(`file ${size} ${mtimeMs} ${sound.file}`, async () =>
        decodeSound(await readFile(sound.file).catch(unplayable), clock),
      )
    },
  }
}

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('base64')

const encodedTone = (name: ToneName) => encodedSound(renderTone(TONES[name]), TONES[name].loops)

async function decodeSound(bytes: Buffer, clock: Clock): Promise<EncodedSound> {
  const read = openWav(bytes)
  if (!read.ok) throw unusable(read.why)
  const resampler = createResampler(read.wav)
  const samples = new Int16Array(resampler.length)
  for (let from = 0; from < samples.length; from += MEDIA_LIMITS.soundSliceSamples) {
    const to = Math.min(samples.length, from + MEDIA_LIMITS.soundSliceSamples)
    samples.set(resampler.render(from, to), from)
    await new Promise<void>((resume) => clock.after(0, resume))
  }
  return encodedSound(samples)
}

const unusable = (why: string) => new MediaFailed('sound', `The audio cannot be played: ${why}.`)

function unplayable(error: Error): never {
  throw unusable(error.message)
}
