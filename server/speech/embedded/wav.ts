export const SPEECH_SAMPLE_RATE = 22_050

/** The usual speech level of telephony, so that both engines and all greetings are equally loud. */
const SPEECH_RMS = 10 ** (-19 / 20)
/** Peaks above this are limited softly instead of clipped. */
const KNEE = 0.7
const CEILING = 0.97
const FRAME = Math.round(SPEECH_SAMPLE_RATE * 0.02)
/** Frames this far below the loudest one are pauses. */
const PAUSE = 10 ** (-35 / 20)
const SILENCE_BEFORE = Math.round(SPEECH_SAMPLE_RATE * 0.1)
const SILENCE_AFTER = Math.round(SPEECH_SAMPLE_RATE * 0.25)
export const HEADER_BYTES = 44

/** 16-bit mono WAV of even loudness with short silence at both ends; undefined if there is only silence. */
export function encodeWav(samples: Float32Array): Buffer | undefined {
  const frames = frameLevels(samples)
  const loudest = frames.reduce((max, level) => Math.max(max, level), 0)
  if (!(loudest > 1e-3)) return undefined
  const spoken = (level: number) => level > loudest * PAUSE
  const active = frames.filter(spoken)
  const gain = SPEECH_RMS / Math.sqrt(active.reduce((sum, level) => sum + level * level, 0) / active.length)
  const from = frames.findIndex(spoken) * FRAME
  const to = Math.min(samples.length, (frames.findLastIndex(spoken) + 1) * FRAME)

  const length = SILENCE_BEFORE + (to - from) + SILENCE_AFTER
  const wav = Buffer.alloc(HEADER_BYTES + length * 2)
  writeHeader(wav, SPEECH_SAMPLE_RATE)
  for (let i = from; i < to; i++)
    wav.writeInt16LE(
      Math.round(limit((samples[i] ?? 0) * gain) * 32_767),
      HEADER_BYTES + (SILENCE_BEFORE + i - from) * 2,
    )
  return wav
}

function frameLevels(samples: Float32Array): number[] {
  const levels: number[] = []
  for (let start = 0; start < samples.length; start += FRAME) {
    const frame = samples.subarray(start, start + FRAME)
    levels.push(Math.sqrt(frame.reduce((sum, sample) => sum + sample * sample, 0) / frame.length))
  }
  return levels
}

function limit(sample: number): number {
  const size = Math.abs(sample)
  if (size <= KNEE) return sample
  const room = CEILING - KNEE
  return Math.sign(sample) * (KNEE + room * Math.tanh((size - KNEE) / room))
}

/** 16-bit mono; the rest of the buffer is the data. */
export function writeHeader(wav: Buffer, sampleRate: number): void {
  const dataBytes = wav.length - HEADER_BYTES
  wav.write('RIFF', 0)
  wav.writeUInt32LE(HEADER_BYTES - 8 + dataBytes, 4)
  wav.write('WAVEfmt ', 8)
  wav.writeUInt32LE(16, 16)
  wav.writeUInt16LE(1, 20) // PCM
  wav.writeUInt16LE(1, 22) // mono
  wav.writeUInt32LE(sampleRate, 24)
  wav.writeUInt32LE(sampleRate * 2, 28)
  wav.writeUInt16LE(2, 32)
  wav.writeUInt16LE(16, 34)
  wav.write('data', 36)
  wav.writeUInt32LE(dataBytes, 40)
}
