import type { PlaybackSource } from '../../media/port.ts'
import { lazy } from '../../platform/async/lazy.ts'

const SAMPLE_RATE = 8_000
const NOTE_SECONDS = 0.4
/** Four chords of a lullaby, each broken into eight notes, in semitones above the A below middle C. */
const CHORDS = [
  [3, 10, 15, 19],
  [0, 7, 12, 15],
  [8, 12, 15, 20],
  [10, 14, 17, 22],
]
const PATTERN = [0, 1, 2, 3, 2, 3, 2, 1]
const LEVEL = 0.16

/** Hold music, generated so that it infringes no rights. It loops. The first caller who waits needs it, not the start. */
export const holdMusic = lazy((): { wav: Buffer } & PlaybackSource => ({ wav: wavOf(render()) }))

function render(): Int16Array {
  const noteLength = Math.round(NOTE_SECONDS * SAMPLE_RATE)
  const notes = CHORDS.flatMap((chord) => PATTERN.map((step) => 220 * 2 ** (chord[step]! / 12)))
  // A note rings on into the next two, and the last notes into the beginning.
  const ringing = noteLength * 3
  const volume = Float64Array.from(
    { length: ringing },
    (_, i) => LEVEL * Math.min(1, i / 80) * Math.exp((-2.2 * i) / SAMPLE_RATE),
  )
  const mix = new Float64Array(notes.length * noteLength)
  notes.forEach((hz, index) => {
    for (let i = 0; i < ringing; i++) {
      const seconds = i / SAMPLE_RATE
      const wave = Math.sin(2 * Math.PI * hz * seconds) + 0.3 * Math.sin(4 * Math.PI * hz * seconds)
      mix[(index * noteLength + i) % mix.length]! += volume[i]! * wave
    }
  })
  return Int16Array.from(mix, (value) => Math.round(32_767 * Math.max(-1, Math.min(1, value))))
}

function wavOf(samples: Int16Array): Buffer {
  const header = Buffer.alloc(44)
  const bytes = samples.length * 2
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + bytes, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(SAMPLE_RATE, 24)
  header.writeUInt32LE(SAMPLE_RATE * 2, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(bytes, 40)
  return Buffer.concat([header, Buffer.from(samples.buffer)])
}
