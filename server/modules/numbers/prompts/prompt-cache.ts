import { buffer } from 'node:stream/consumers'

import type { Storage } from '../../../providers/storage/port.ts'
import { NUMBER_LIMITS } from '../limits.ts'

/** The audio of prompts, that of the latest calls in memory. */
export interface PromptCache {
  /** By the key of a prompt. A new audio gets a new key, so that what is kept is never out of date. */
  read(key: string): Promise<Buffer>
  /** By the key of a default text, whose audio may be replaced. Undefined if it is not stored. */
  readDefault(key: string): Promise<Buffer | undefined>
}

export function createPromptCache(storage: Storage): PromptCache {
  const kept = new Map<string, Buffer>()
  let bytes = 0

  function drop(key: string): void {
    bytes -= kept.get(key)?.length ?? 0
    kept.delete(key)
  }

  /** As the latest one. */
  function keep(key: string, wav: Buffer): void {
    drop(key)
    kept.set(key, wav)
    bytes += wav.length
    for (const oldest of kept.keys()) {
      if (bytes <= NUMBER_LIMITS.promptsKeptBytesMax) break
      drop(oldest)
    }
  }

  const load = async (key: string) => buffer(await storage.read(key))

  return {
    async read(key) {
      const wav = kept.get(key) ?? (await load(key))
      keep(key, wav)
      return wav
    },
    readDefault: async (key) => ((await storage.size(key)) === undefined ? undefined : load(key)),
  }
}
