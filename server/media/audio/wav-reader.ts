import { MEDIA_LIMITS } from '../limits.ts'
import { decodeG711, type Law } from './g711.ts'

/** Reads a WAV file of any common encoding in parts, downmixed to one channel. */
export interface WavReader {
  sampleRate: number
  frames: number
  /** Frames [from, to) from -1 to 1, with all channels mixed; silence outside of the file. */
  read(from: number, to: number): Float32Array
}

export type WavRefusal = 'not_wav' | 'encoding' | 'rate' | 'too_long' | 'empty'

export type WavRead = { ok: true; wav: WavReader } | { ok: false; why: WavRefusal }

const EXTENSIBLE = 0xfffe

/** One sample at an offset, by format and bits; 8-bit WAV is unsigned. */
const ENCODINGS: Readonly<Record<string, (bytes: Buffer, at: number) => number>> = {
  '1/8': (bytes, at) => (bytes[at]! - 128) / 128,
  '1/16': (bytes, at) => bytes.readInt16LE(at) / 32_768,
  '1/24': (bytes, at) => bytes.readIntLE(at, 3) / 8_388_608,
  '1/32': (bytes, at) => bytes.readInt32LE(at) / 2_147_483_648,
  '3/32': (bytes, at) => finite(bytes.readFloatLE(at)),
  '3/64': (bytes, at) => finite(bytes.readDoubleLE(at)),
  '6/8': byLaw('pcma'),
  '7/8': byLaw('pcmu'),
}

export function openWav(bytes: Buffer): WavRead {
  const chunks = findChunks(bytes)
  if (!chunks) return { ok: false, why: 'not_wav' }
  const { format, audio } = chunks
  const [kind, channels, sampleRate] = [
    format.readUInt16LE(0),
    format.readUInt16LE(2),
    format.readUInt32LE(4),
  ]
  const bits = format.readUInt16LE(14)
  const encoding = kind === EXTENSIBLE && format.length >= 26 ? format.readUInt16LE(24) : kind
  const sample = ENCODINGS[`${encoding}/${bits}`]
  if (!sample || channels < 1 || channels > MEDIA_LIMITS.wavChannelsMax) return { ok: false, why: 'encoding' }
  if (sampleRate < MEDIA_LIMITS.wavRateMin || sampleRate > MEDIA_LIMITS.wavRateMax)
    return { ok: false, why: 'rate' }
  const frameBytes = (channels * bits) / 8
  const frames = Math.floor(audio.length / frameBytes)
  if (frames === 0) return { ok: false, why: 'empty' }
  if (frames > MEDIA_LIMITS.wavSecondsMax * sampleRate) return { ok: false, why: 'too_long' }
  return {
    ok: true,
    wav: {
      sampleRate,
      frames,
      read(from, to) {
        const samples = new Float32Array(to - from)
        for (let frame = Math.max(0, from); frame < Math.min(to, frames); frame++) {
          let sum = 0
          for (let channel = 0; channel < channels; channel++) {
            sum += sample(audio, frame * frameBytes + (channel * bits) / 8)
          }
          samples[frame - from] = sum / channels
        }
        return samples
      },
    },
  }
}

function findChunks(bytes: Buffer): { format: Buffer; audio: Buffer } | undefined {
  if (bytes.length < 12 || bytes.toString('latin1', 0, 4) !== 'RIFF') return undefined
  if (bytes.toString('latin1', 8, 12) !== 'WAVE') return undefined
  let format: Buffer | undefined
  for (let at = 12; at + 8 <= bytes.length;) {
    const name = bytes.toString('latin1', at, at + 4)
    const size = bytes.readUInt32LE(at + 4)
    const chunk = bytes.subarray(at + 8, at + 8 + size)
    if (name === 'fmt ' && chunk.length >= 16) format = chunk
    // Writers that do not know the length in advance write 0 or the maximum: then the data goes to the end of the file.
    if (name === 'data') return format && { format, audio: size === 0 ? bytes.subarray(at + 8) : chunk }
    at += 8 + size + (size % 2)
  }
  return undefined
}

function byLaw(law: Law): (bytes: Buffer, at: number) => number {
  const table = decodeG711(
    law,
    Uint8Array.from({ length: 256 }, (_, code) => code),
  )
  return (bytes, at) => table[bytes[at]!]! / 32_768
}

const finite = (value: number) => (Number.isFinite(value) ? Math.max(-1, Math.min(1, value)) : 0)
