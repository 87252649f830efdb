import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { builtModule } from '../../../test/harness/processes/built-module.ts'
import { loudness, sine, toneShare } from '../../../test/harness/sound/audio-analysis.ts'
import { readChannels } from '../../../test/harness/sound/wav-analysis.ts'
import { encodeG711 } from './g711.ts'
import { createResampler } from './resampler.ts'
import { openWav } from './wav-reader.ts'
import { createWavWriter, wavHeader } from './wav-writer.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bellhop-wav-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Writes one sample, by the name of the encoding. */
const ENCODINGS: Record<
  string,
  { format: number; bits: number; write: (b: Buffer, at: number, x: number) => void }
> = {
  '8 bits': { format: 1, bits: 8, write: (b, at, x) => b.writeUInt8(Math.round(x * 127) + 128, at) },
  '16 bits': { format: 1, bits: 16, write: (b, at, x) => b.writeInt16LE(Math.round(x * 32_767), at) },
  '24 bits': { format: 1, bits: 24, write: (b, at, x) => b.writeIntLE(Math.round(x * 8_388_607), at, 3) },
  '32 bits': { format: 1, bits: 32, write: (b, at, x) => b.writeInt32LE(Math.round(x * 2_147_483_647), at) },
  float: { format: 3, bits: 32, write: (b, at, x) => b.writeFloatLE(x, at) },
  double: { format: 3, bits: 64, write: (b, at, x) => b.writeDoubleLE(x, at) },
  'A-law': {
    format: 6,
    bits: 8,
    write: (b, at, x) => (b[at] = encodeG711('pcma', Int16Array.of(x * 32_767))[0]!),
  },
  'mu-law': {
    format: 7,
    bits: 8,
    write: (b, at, x) => (b[at] = encodeG711('pcmu', Int16Array.of(x * 32_767))[0]!),
  },
}

describe('a WAV file to play', () => {
  const kinds = Object.keys(ENCODINGS).flatMap((encoding) =>
    [
      [8_000, 1],
      [44_100, 2],
    ].map(([rate, channels]) => [encoding, rate!, channels!] as const),
  )
  test.each([
    ...kinds,
    ...[6_000, 11_025, 16_000, 22_050, 24_000, 32_000, 48_000, 96_000].map(
      (rate) => ['16 bits', rate, 1] as const,
    ),
  ])('of %s at %i Hz with %i channels has the same tone at 8 kHz', (encoding, rate, channels) => {
    const heard = rendered(wavOf(encoding, rate, channels, (t) => 0.25 * Math.sin(2 * Math.PI * 1_000 * t)))
    expect(heard.length).toBe(8_000)
    const middle = heard.subarray(400, 7_600)
    expect(toneShare(middle, 1_000)).toBeGreaterThan(encoding === '8 bits' ? 0.995 : 0.999)
    expect(loudness(middle) / (32_768 * 0.25 * Math.SQRT1_2)).toBeCloseTo(1, 1)
  })

  test('keeps the telephone band, and has no aliases of what is above', () => {
    for (const hz of [200, 1_000, 3_000, 3_400]) expect(level(hz)).toBeGreaterThan(0.89)
    for (const hz of [4_400, 5_000, 7_000, 12_000, 20_000]) expect(level(hz)).toBeLessThan(0.003)
  })

  test('is the same however it is split into parts', () => {
    const read = openWav(wavOf('16 bits', 44_100, 1, (t) => 0.3 * Math.sin(2 * Math.PI * 440 * t)))
    if (!read.ok) throw new Error(read.why)
    const resampler = createResampler(read.wav)
    const whole = resampler.render(0, resampler.length)
    for (let from = 0; from < whole.length; from += 333) {
      const to = Math.min(from + 333, whole.length)
      expect(resampler.render(from, to)).toEqual(whole.subarray(from, to))
    }
  })

  test('may be extensible, have other chunks before its data, and no length', () => {
    const plain = wavOf('16 bits', 8_000, 1, () => 0.5)
    const format = Buffer.alloc(40)
    plain.copy(format, 0, 20, 36)
    format.writeUInt16LE(0xfffe, 0)
    format.writeUInt16LE(1, 24)
    const chunks = [
      chunk('fmt ', format),
      chunk('LIST', Buffer.from('odd')),
      Buffer.from('data\0\0\0\0'),
      plain.subarray(44),
    ]
    const read = openWav(Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE'), ...chunks]))
    expect(read.ok && [read.wav.frames, read.wav.read(0, 1)[0]!.toFixed(2)]).toEqual([8_000, '0.50'])
  })

  test.each([
    ['not_wav', Buffer.from('ID3 this is something else')],
    ['not_wav', Buffer.alloc(0)],
    ['not_wav', Buffer.from('RIFF\0\0\0\0WAVEdata\0\0\0\0')],
    ['empty', wavHeader(1, 0)],
    ['rate', wavHeader(1, 0, 100)],
    ['encoding', wavHeader(9, 0)],
  ])('that cannot be played is refused as %s', (why, bytes) => {
    expect(openWav(bytes)).toEqual({ ok: false, why })
  })
})

describe('a WAV file that is written', () => {
  test('has every sample, on its channel', async () => {
    const file = join(folder, 'whole.wav')
    const writer = await createWavWriter(file, 2)
    const [left, right] = [sine(440, 3), sine(700, 3)]
    for (let at = 0; at < left.length; at += 160) {
      writer.append(Int16Array.from({ length: 320 }, (_, i) => [left, right][i % 2]![at + (i >> 1)]!))
    }
    expect(await writer.close()).toBeUndefined()
    expect(await writer.close()).toBeUndefined()
    const { channels, sampleRate } = readChannels(await readFile(file))
    expect(sampleRate).toBe(8_000)
    expect(channels.map((channel) => channel.map((x) => x * 32_768))).toEqual([
      Float32Array.from(left),
      Float32Array.from(right),
    ])
  })

  test('is valid after the process that wrote it was killed, up to the last second', async () => {
    const file = join(folder, 'killed.wav')
    const program = await builtModule('server/media/audio/fixtures/endless-recording.ts')
    const writer = spawn(process.execPath, [program, file], { stdio: ['ignore', 'pipe', 'inherit'] })
    let seconds = 0
    for await (const line of createInterface({ input: writer.stdout })) {
      seconds = Number(line)
      if (seconds >= 3) break
    }
    writer.kill('SIGKILL')
    await once(writer, 'exit')
    const bytes = await readFile(file)
    const soundBytes = bytes.readUInt32LE(40)
    expect(bytes.readUInt32LE(4)).toBe(36 + soundBytes)
    expect(soundBytes).toBeGreaterThanOrEqual((seconds - 1) * 32_000)
    // Samples that the header does not count yet are at most those of the last write.
    expect(bytes.length - 44 - soundBytes).toBeLessThanOrEqual(64_000)
    expect(bytes.length).toBeGreaterThanOrEqual(44 + soundBytes)
    const { channels } = readChannels(bytes.subarray(0, 44 + soundBytes))
    expect(channels.map((channel, i) => toneShare(channel, [440, 700][i]!) > 0.99)).toEqual([true, true])
  })

  test('that cannot be written reports it once, and takes no more samples', async () => {
    await expect(createWavWriter(join(folder, 'nowhere', 'x.wav'), 1)).rejects.toThrow('ENOENT')
    await writeFile(join(folder, 'there.wav'), 'what was there before')
    const writer = await createWavWriter(join(folder, 'there.wav'), 1)
    await writer.close()
    expect(readChannels(await readFile(join(folder, 'there.wav'))).channels[0]!.length).toBe(0)
  })
})

function rendered(bytes: Buffer): Int16Array {
  const read = openWav(bytes)
  if (!read.ok) throw new Error(read.why)
  const resampler = createResampler(read.wav)
  return resampler.render(0, resampler.length)
}

/** One second. */
function wavOf(encoding: string, rate: number, channels: number, at: (seconds: number) => number): Buffer {
  const { format, bits, write } = ENCODINGS[encoding]!
  const sound = Buffer.alloc((rate * channels * bits) / 8)
  for (let i = 0; i < rate * channels; i++) write(sound, (i * bits) / 8, at(Math.floor(i / channels) / rate))
  const header = wavHeader(channels, sound.length, rate)
  header.writeUInt16LE(format, 20)
  header.writeUInt16LE(bits, 34)
  return Buffer.concat([header, sound])
}

function chunk(name: string, bytes: Buffer): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt32LE(bytes.length)
  return Buffer.concat([Buffer.from(name), size, bytes, Buffer.alloc(bytes.length % 2)])
}

/** The level of a 48 kHz tone after conversion, relative to before. */
function level(hz: number): number {
  const heard = rendered(wavOf('16 bits', 48_000, 1, (t) => 0.5 * Math.sin(2 * Math.PI * hz * t)))
  return loudness(heard.subarray(400, 7_600)) / (32_768 * 0.5 * Math.SQRT1_2)
}
