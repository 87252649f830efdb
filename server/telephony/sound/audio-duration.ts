import type { SpooledRecording } from './spool.ts'

/** Our WAV files, whose header is valid whenever the process dies: 8 kHz, 16 bits a channel. */
export const WAV = { headerBytes: 44, bytesPerMs: 16 }

/** The duration of the audio in a file of this size. */
export function audioDurationMs(kind: SpooledRecording['kind'], fileBytes: number): number {
  const channels = kind === 'voicemail' ? 1 : 2
  return (fileBytes - WAV.headerBytes) / (WAV.bytesPerMs * channels)
}
