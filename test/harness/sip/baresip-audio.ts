import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { WAV_HEADER_BYTES } from '../../../server/media/audio/wav-writer.ts'
import { loudness, toneShareInParts } from '../sound/audio-analysis.ts'

const PATIENCE_MS = 30_000
const LOOK_EVERY_MS = 50
const LISTEN_MS = 400
const BYTES_PER_MS = 16
const AUDIBLE = 500

/** A position in a phone's recording of its received audio. */
interface Mark {
  file: string | undefined
  bytes: number
}

/**
 * The audio that a baresip receives, read from the file that its module `sndfile` is writing. Version 1.0.0 stops
 * writing at the first hold, although it still receives audio.
 */
export function recordBaresip(dir: string) {
  /** It starts a new file for every call, with the time in its name. */
  async function mark(): Promise<Mark> {
    const files = (await readdir(dir)).filter((name) => name.endsWith('-dec.wav'))
    const file = files.toSorted().at(-1)
    return { file, bytes: file === undefined ? 0 : (await stat(join(dir, file))).size }
  }

  /** The last audio since then, at most as long as a test listens. */
  async function heardSince(since: Mark): Promise<Int16Array> {
    const now = await mark()
    if (now.file === undefined) return new Int16Array()
    const first = now.file === since.file ? Math.max(since.bytes, WAV_HEADER_BYTES) : WAV_HEADER_BYTES
    const length = Math.min(now.bytes - first, LISTEN_MS * BYTES_PER_MS) & ~1
    if (length <= 0) return new Int16Array()
    const sound = Buffer.alloc(length)
    const file = await open(join(dir, now.file))
    await file.read(sound, 0, length, (now.bytes & ~1) - length)
    await file.close()
    return new Int16Array(sound.buffer, sound.byteOffset, length / 2)
  }

  async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
    for (const started = performance.now(); !(await holds());) {
      if (performance.now() - started > PATIENCE_MS) {
        const heard = await heardSince({ file: undefined, bytes: 0 })
        const { file, bytes } = await mark()
        throw new Error(
          `waited in vain for ${what}; ${bytes} bytes in ${file}, the last as loud as ${loudness(heard)}`,
        )
      }
      await new Promise((resume) => setTimeout(resume, LOOK_EVERY_MS))
    }
  }

  return {
    /** Waits until the audio received from now on is almost purely this tone. */
    async hears(hz: number): Promise<void> {
      const since = await mark()
      await until(`${hz} Hz`, async () => {
        const sound = await heardSince(since)
        const isLong = sound.length * 2 >= LISTEN_MS * BYTES_PER_MS
        return isLong && loudness(sound) > AUDIBLE && toneShareInParts(sound, hz) > 0.9
      })
    },
  }
}
