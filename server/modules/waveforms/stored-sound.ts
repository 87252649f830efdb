import { buffer } from 'node:stream/consumers'

import {
  NoRecording,
  readRecording,
  type Recording,
  RECORDING_RATE,
  type RecordingBytes,
} from '../../platform/audio/recording.ts'
import type { Storage } from '../../providers/storage/port.ts'
import type { SoundReader } from './measure.ts'

/**
 * A stored recording, with its channels mixed; undefined if it cannot be read. Only the part that is being read is in
 * memory.
 */
export async function openStoredSound(
  storage: Storage,
  key: string,
  size: number,
): Promise<SoundReader | undefined> {
  let latest = { start: 0, part: Buffer.alloc(0) }

  async function read(start: number, bytes: number): Promise<Buffer> {
    // All channels are in the same part, which is read once.
    if (latest.start !== start || latest.part.length !== bytes)
      latest = { start, part: await buffer(await storage.read(key, { start, end: start + bytes - 1 })) }
    return latest.part
  }

  const recording = await readIfPossible({ size, read })
  if (!recording || recording.length === 0) return undefined
  return {
    sampleRate: RECORDING_RATE,
    frames: recording.length,
    async read(from, to) {
      const mixed = await recording.read(0, from, to)
      if (recording.channels === 1) return mixed
      const right = await recording.read(1, from, to)
      for (let i = 0; i < mixed.length; i++) mixed[i] = (mixed[i]! + right[i]!) / 2
      return mixed
    },
  }
}

async function readIfPossible(file: RecordingBytes): Promise<Recording | undefined> {
  try {
    return await readRecording(file)
  } catch (error) {
    if (error instanceof NoRecording) return undefined
    throw error
  }
}
