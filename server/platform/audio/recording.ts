/** Of all recordings. */
export const RECORDING_RATE = 8_000
const BYTES_PER_SAMPLE = 2
/** Our own files have shorter headers. */
const HEADER_BYTES_MAX = 4_096
const PCM = 1

/** A recording of which only the needed parts are read into memory. */
export interface Recording {
  channels: 1 | 2
  /** Samples for each channel. */
  length: number
  /** Samples [from, to) of a channel, from -1 to 1; silence after the end. */
  read(channel: number, from: number, to: number): Promise<Float32Array>
}

/** The bytes of a WAV file, wherever it is. */
export interface RecordingBytes {
  size: number
  /** As many as there are, if it ends before. */
  read(start: number, bytes: number): Promise<Buffer>
}

/** The file is no recording of ours. */
export class NoRecording extends Error {}

export async function readRecording(file: RecordingBytes): Promise<Recording> {
  const head = await file.read(0, Math.min(file.size, HEADER_BYTES_MAX))
  const { channels, at, bytes } = readHeader(head, file.size)
  const frameBytes = channels * BYTES_PER_SAMPLE
  const length = Math.floor(bytes / frameBytes)
  return {
    channels,
    length,
    async read(channel, from, to) {
      const samples = new Float32Array(to - from)
      const wanted = Math.max(0, Math.min(to, length) - from) * frameBytes
      const values = int16sOf(await file.read(at + from * frameBytes, wanted))
      const frames = Math.floor(values.length / channels)
      for (let i = 0; i < frames; i++) samples[i] = values[i * channels + channel]! / 32_768
      return samples
    },
  }
}

/** Without a call for each sample: a recording may have hundreds of millions. */
function int16sOf(bytes: Buffer): Int16Array {
  const { buffer, byteOffset, length } = bytes.byteOffset % 2 === 0 ? bytes : Buffer.from(bytes)
  return new Int16Array(buffer, byteOffset, Math.floor(length / 2))
}

/** Where the samples are, and how many: a truncated recording has fewer than its header says. */
function readHeader(head: Buffer, size: number): { channels: 1 | 2; at: number; bytes: number } {
  if (
    head.length < 12 ||
    head.toString('latin1', 0, 4) !== 'RIFF' ||
    head.toString('latin1', 8, 12) !== 'WAVE'
  )
    throw new NoRecording('The file is not a WAV file.')
  let channels: 0 | 1 | 2 = 0
  for (let at = 12; at + 8 <= head.length;) {
    const name = head.toString('latin1', at, at + 4)
    const bytes = head.readUInt32LE(at + 4)
    const start = at + 8
    if (name === 'fmt ' && start + 16 <= head.length) channels = readFormat(head.subarray(start))
    if (name === 'data' && channels !== 0)
      return { channels, at: start, bytes: Math.min(bytes, size - start) }
    at = start + bytes + (bytes % 2)
  }
  throw new NoRecording('The file has no audio data.')
}

function readFormat(format: Buffer): 1 | 2 {
  const channels = format.readUInt16LE(2)
  const isOurs =
    format.readUInt16LE(0) === PCM &&
    format.readUInt32LE(4) === RECORDING_RATE &&
    format.readUInt16LE(14) === BYTES_PER_SAMPLE * 8
  if (isOurs && (channels === 1 || channels === 2)) return channels
  throw new NoRecording('The file is not 16-bit at 8 kHz with one or two channels.')
}
