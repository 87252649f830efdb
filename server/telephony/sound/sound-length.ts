import type { Spooled } from './spool.ts'

/** Of a WAV file here, whose header speaks of sound that is there whenever the process dies: 8 kHz, 16 bits a channel. */
const WAV = { headerBytes: 44, bytesPerMs: 16 }

/** How long the sound of a file of so many bytes is. */
export function soundMsOf(kind: Spooled['kind'], fileBytes: number): number {
  const channels = kind === 'voicemail' ? 1 : 2
  return (fileBytes - WAV.headerBytes) / (WAV.bytesPerMs * channels)
}
