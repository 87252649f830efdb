import { type FileHandle, open } from 'node:fs/promises'

import { MEDIA_LIMITS } from '../limits.ts'
import { SAMPLE_RATE } from './frame.ts'

export const WAV_HEADER_BYTES = 44

/**
 * Writes a WAV file that is valid at any moment: samples are written first, then the sizes in the header. If the
 * process dies, the header never counts samples that are not there.
 */
export async function createWavWriter(path: string, channels: 1 | 2) {
  const file = await open(path, 'w')
  try {
    await writeAll(file, wavHeader(channels, 0), 0)
  } catch (error) {
    await file.close()
    throw error
  }
  const bytesPerMs = (SAMPLE_RATE / 1_000) * channels * 2
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let writtenBytes = 0
  let appendedBytes = 0
  let writing: Promise<void> | undefined
  let failure: Error | undefined
  let closing: Promise<Error | undefined> | undefined

  async function write(): Promise<void> {
    while (waitingBytes > 0 && !failure) {
      const bytes = Buffer.concat(waiting)
      waiting = []
      waitingBytes = 0
      try {
        await writeAll(file, bytes, WAV_HEADER_BYTES + writtenBytes)
        writtenBytes += bytes.length
        await writeAll(file, wavHeader(channels, writtenBytes), 0)
      } catch (error) {
        failure = error as Error
      }
    }
    writing = undefined
  }

  async function finish(): Promise<Error | undefined> {
    await (writing ?? write())
    await write()
    await file.close().catch((error: Error) => (failure ??= error))
    return failure
  }

  return {
    /** The first write error, if any. */
    get failure() {
      return failure
    },
    get frames() {
      return appendedBytes / (2 * channels)
    },
    /** Takes interleaved samples of whole frames. They are written soon, in order. */
    append(samples: Int16Array): void {
      if (failure || closing) return
      const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)
      waiting.push(Buffer.from(bytes))
      waitingBytes += bytes.length
      appendedBytes += bytes.length
      if (waitingBytes > MEDIA_LIMITS.recordingWaitingMsMax * bytesPerMs)
        failure = new Error('the disk is too slow')
      else if (waitingBytes >= MEDIA_LIMITS.recordingGatherMs * bytesPerMs) writing ??= write()
    },
    /** Flushes, and returns the first error, if any. */
    close: (): Promise<Error | undefined> => (closing ??= finish()),
  }
}

async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done)
    done += bytesWritten
  }
}

/** 16-bit PCM, little-endian as in WAV and on all machines that this runs on. */
export function wavHeader(channels: number, soundBytes: number, sampleRate: number = SAMPLE_RATE): Buffer {
  const header = Buffer.alloc(WAV_HEADER_BYTES)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(WAV_HEADER_BYTES - 8 + soundBytes, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(channels, 22)
  header.writeUInt32LE(sampleRate, 24)
  header.writeUInt32LE(sampleRate * channels * 2, 28)
  header.writeUInt16LE(channels * 2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(soundBytes, 40)
  return header
}
