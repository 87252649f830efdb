import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

import type { Clock } from '../../platform/clock.ts'
import type { Storage } from '../../providers/storage/port.ts'
import { RECOGNITION_LIMITS } from '../../speech/port.ts'
import { UnusableRecording } from './failures.ts'

/** Local copies of recordings, because engines read files; kept during transcription. */
export interface LocalCopies {
  withCopy<T>(key: string, use: (file: string) => Promise<T>): Promise<T>
  /** Deletes copies that a killed worker left, because recordings are private. */
  removeOld(): Promise<void>
}

/** Longer than any transcription takes. */
const OLD_MS = 24 * 60 * 60 * 1000
const PRIVATE = 0o700

export function createLocalCopies(parts: { storage: Storage; folder: string; clock: Clock }): LocalCopies {
  const { storage, folder, clock } = parts
  return {
    async withCopy(key, use) {
      const size = await storage.size(key)
      if (size === undefined) throw new UnusableRecording('The recording is gone.')
      if (size > RECOGNITION_LIMITS.recordingBytesMax)
        throw new UnusableRecording('The recording is too long.')
      await mkdir(folder, { recursive: true, mode: PRIVATE })
      const place = await mkdtemp(join(folder, 'recording-'))
      try {
        const file = join(place, 'recording.wav')
        await pipeline(await storage.read(key), createWriteStream(file))
        return await use(file)
      } finally {
        await rm(place, { recursive: true, force: true })
      }
    },
    async removeOld() {
      // The folder is made with the first copy, and another worker may remove one at the same time.
      for (const name of await readdir(folder).catch(() => [])) {
        const place = join(folder, name)
        const changed = await stat(place).catch(() => undefined)
        if (changed && clock.now().getTime() - changed.mtimeMs > OLD_MS)
          await rm(place, { recursive: true, force: true })
      }
    },
  }
}
