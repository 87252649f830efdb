import { decodeG711, encodeG711 } from '../../../server/media/audio/g711.ts'
import { createResampler } from '../../../server/media/audio/resampler.ts'
import { openWav } from '../../../server/media/audio/wav-reader.ts'
import { wavHeader } from '../../../server/media/audio/wav-writer.ts'

export const RATE = 8_000

/** What is left of a WAV file at the other end of a telephone line: 8 kHz, A-law. */
export function throughTelephone(wav: Buffer): Int16Array {
  const read = openWav(wav)
  if (!read.ok) throw new Error(`this is no sound: ${read.why}`)
  const resampler = createResampler(read.wav)
  return decodeG711('pcma', encodeG711('pcma', resampler.render(0, resampler.length)))
}

/** Sounds one after another, each at its second; what is not covered is silence. */
export function arrange(...sounds: [atSecond: number, sound: Int16Array][]): Int16Array {
  const length = Math.max(0, ...sounds.map(([at, sound]) => Math.round(at * RATE) + sound.length))
  const track = new Int16Array(length)
  for (const [at, sound] of sounds) track.set(sound, Math.round(at * RATE))
  return track
}

/** A recording as it is stored; of two tracks the left one is the outside party. */
export function recordingOf(...tracks: Int16Array[]): Buffer {
  const length = Math.max(...tracks.map((track) => track.length))
  const sound = Buffer.alloc(length * tracks.length * 2)
  for (const [channel, track] of tracks.entries())
    for (const [i, sample] of track.entries()) sound.writeInt16LE(sample, (i * tracks.length + channel) * 2)
  return Buffer.concat([wavHeader(tracks.length, sound.length, RATE), sound])
}

export const silence = (seconds: number) => new Int16Array(Math.round(seconds * RATE))

/** The same noise each time. */
export function noise(seconds: number, loudness: number): Int16Array {
  let random = 1
  const next = () => (random = (random * 16_807) % 2_147_483_647) / 2_147_483_647 - 0.5
  return silence(seconds).map(() => Math.round(next() * 2 * loudness * 32_767))
}

/** Of several pitches at once, as keys and instruments have them. */
export const chord = (seconds: number, pitches: number[], loudness = 0.3) =>
  silence(seconds).map((_, i) => {
    const sum = pitches.reduce((total, hz) => total + Math.sin((2 * Math.PI * hz * i) / RATE), 0)
    return Math.round((sum / pitches.length) * loudness * 32_767)
  })
