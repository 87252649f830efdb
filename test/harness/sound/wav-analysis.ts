import assert from 'node:assert'

export interface Heard {
  seconds: number
  /** Root mean square of the frames that are not silent; full scale is 1. */
  level: number
  peak: number
  /** The longest silence, including at the beginning and the end. */
  longestPauseSeconds: number
  /** How much the loudness varies from frame to frame, in decibels: hardly at all for a tone or noise. */
  loudnessSpreadDb: number
  /** How much the rate of zero crossings varies from frame to frame: it is low for vowels and high for an s. */
  timbreSpreadHz: number
}

const FRAME = 512
const SILENT = 0.005

/** Parses a WAV file as strictly as the strictest player, and measures what a listener would notice. */
export function analyseWav(wav: Buffer): Heard {
  const { samples, sampleRate } = readWav(wav)
  const levels: number[] = []
  const crossings: number[] = []
  let [pause, longestPause] = [0, 0]
  for (let start = 0; start + FRAME <= samples.length; start += FRAME) {
    const frame = samples.subarray(start, start + FRAME)
    const level = Math.sqrt(frame.reduce((sum, sample) => sum + sample * sample, 0) / FRAME)
    pause = level < SILENT ? pause + 1 : 0
    longestPause = Math.max(longestPause, pause)
    if (level < SILENT) continue
    levels.push(level)
    crossings.push(crossingRate(frame, sampleRate))
  }
  return {
    seconds: samples.length / sampleRate,
    level: Math.sqrt(mean(levels.map((level) => level * level))),
    peak: samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0),
    longestPauseSeconds: (longestPause * FRAME) / sampleRate,
    loudnessSpreadDb: spread(levels.map((level) => 20 * Math.log10(level))),
    timbreSpreadHz: spread(crossings),
  }
}

/** For a mono file. */
export function readWav(wav: Buffer): { samples: Float32Array; sampleRate: number } {
  const { channels, sampleRate } = readChannels(wav)
  assert.equal(channels.length, 1)
  return { samples: channels[0]!, sampleRate }
}

export function readChannels(wav: Buffer): { channels: Float32Array[]; sampleRate: number } {
  assert.equal(wav.toString('latin1', 0, 4), 'RIFF')
  assert.equal(wav.readUInt32LE(4), wav.length - 8)
  assert.equal(wav.toString('latin1', 8, 16), 'WAVEfmt ')
  assert.equal(wav.readUInt32LE(16), 16)
  const [format, channels] = [wav.readUInt16LE(20), wav.readUInt16LE(22)]
  const [sampleRate, bytesPerSecond] = [wav.readUInt32LE(24), wav.readUInt32LE(28)]
  assert.deepEqual({ format, bits: wav.readUInt16LE(34) }, { format: 1, bits: 16 })
  assert.equal(bytesPerSecond, sampleRate * 2 * channels)
  assert.equal(wav.readUInt16LE(32), 2 * channels)
  assert.equal(wav.toString('latin1', 36, 40), 'data')
  assert.equal(wav.readUInt32LE(40), wav.length - 44)
  return {
    sampleRate,
    channels: Array.from({ length: channels }, (_, channel) => {
      const samples = new Float32Array((wav.length - 44) / 2 / channels)
      for (let i = 0; i < samples.length; i++)
        samples[i] = wav.readInt16LE(44 + (i * channels + channel) * 2) / 32_768
      return samples
    }),
  }
}

function crossingRate(frame: Float32Array, sampleRate: number): number {
  let crossings = 0
  for (let i = 1; i < frame.length; i++) if ((frame[i] ?? 0) < 0 !== (frame[i - 1] ?? 0) < 0) crossings++
  return (crossings * sampleRate) / (2 * frame.length)
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
const spread = (values: number[]) => {
  const middle = mean(values)
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)))
}
