import { decodeG711, encodeG711 } from '../../../server/media/audio/g711.ts'
import { createResampler } from '../../../server/media/audio/resampler.ts'
import { openWav } from '../../../server/media/audio/wav-reader.ts'
import { wavHeader } from '../../../server/media/audio/wav-writer.ts'

export const RATE = 8_000

/** A WAV file in telephone quality: 8 kHz, A-law. */
export function throughTelephone(wav: Buffer): Int16Array {
  const read = openWav(wav)
  if (!read.ok) throw new Error(`this is no sound: ${read.why}`)
  const resampler = createResampler(read.wav)
  return decodeG711('pcma', encodeG711('pcma', resampler.render(0, resampler.length)))
}

/** Places each sound at its second, with silence in between. */
export function arrange(...sounds: [atSecond: number, sound: Int16Array][]): Int16Array {
  const length = Math.max(0, ...sounds.map(([at, sound]) => Math.round(at * RATE) + sound.length))
  const track = new Int16Array(length)
  for (const [at, sound] of sounds) track.set(sound, Math.round(at * RATE))
  return track
}

/** A recording as it is stored; with two channels, the customer is left. */
export function recordingOf(...tracks: Int16Array[]): Buffer {
  const length = Math.max(...tracks.map((track) => track.length))
  const sound = Buffer.alloc(length * tracks.length * 2)
  for (const [channel, track] of tracks.entries())
    for (const [i, sample] of track.entries()) sound.writeInt16LE(sample, (i * tracks.length + channel) * 2)
  return Buffer.concat([wavHeader(tracks.length, sound.length, RATE), sound])
}

export const silence = (seconds: number) => new Int16Array(Math.round(seconds * RATE))

/** Deterministic noise. */
export function noise(seconds: number, loudness: number): Int16Array {
  let random = 1
  const next = () => (random = (random * 16_807) % 2_147_483_647) / 2_147_483_647 - 0.5
  return silence(seconds).map(() => Math.round(next() * 2 * loudness * 32_767))
}

/** A sum of several frequencies, like DTMF or an instrument. */
export const chord = (seconds: number, pitches: number[], loudness = 0.3) =>
  silence(seconds).map((_, i) => {
    const sum = pitches.reduce((total, hz) => total + Math.sin((2 * Math.PI * hz * i) / RATE), 0)
    return Math.round((sum / pitches.length) * loudness * 32_767)
  })
