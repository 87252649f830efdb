import { buffer } from 'node:stream/consumers'

import type { Storage } from '../../providers/storage/port.ts'
import type { SoundReader } from './measure.ts'

/** A WAV file of which only the needed parts are read. */
interface Sound {
  sampleRate: number
  channels: 1 | 2
  /** Samples for each channel. */
  length: number
  /** Samples [from, to) of a channel, from -1 to 1; silence after the end. */
  read(channel: number, from: number, to: number): Promise<Float32Array>
}

/** Undefined if it is no audio that can be read. */
export type OpenSound = (file: {
  size: number
  read(start: number, bytes: number): Promise<Buffer>
}) => Promise<Sound | undefined>

/** A stored recording, with its channels mixed. Only the part that is being read is in memory. */
export async function openStoredSound(
  { storage, openSound }: { storage: Storage; openSound: OpenSound },
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

  const sound = await openSound({ size, read })
  if (!sound || sound.length === 0) return undefined
  return {
    sampleRate: sound.sampleRate,
    frames: sound.length,
    async read(from, to) {
      const mixed = await sound.read(0, from, to)
      if (sound.channels === 1) return mixed
      const right = await sound.read(1, from, to)
      for (let i = 0; i < mixed.length; i++) mixed[i] = (mixed[i]! + right[i]!) / 2
      return mixed
    },
  }
}
