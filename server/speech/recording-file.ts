import { open } from 'node:fs/promises'

import { NoRecording, readRecording, type Recording } from '../platform/audio/recording.ts'
import { RECOGNITION_LIMITS } from './limits.ts'
import { SpeechFailed } from './port.ts'

/** A recording on disk. */
export interface RecordingFile extends Recording {
  close(): Promise<void>
}

export async function openRecording(path: string): Promise<RecordingFile> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    if (size > RECOGNITION_LIMITS.recordingBytesMax)
      throw new SpeechFailed('recording', 'The file is too large.')
    const read = async (start: number, bytes: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, start)
      return buffer.subarray(0, bytesRead)
    }
    return { ...(await readRecording({ size, read })), close: () => file.close() }
  } catch (error) {
    await file.close()
    throw error instanceof NoRecording ? new SpeechFailed('recording', error.message) : error
  }
}
