import { expect, test } from 'vitest'

import { loudness, sine, toneShareInParts } from '../../../test/harness/sound/audio-analysis.ts'
import { joined } from '../../../test/harness/sound/rtp-phone.ts'
import { createOpusReceiver } from '../rtp/opus-receiver.ts'
import type { RtpPacket } from '../rtp/packet.ts'
import { createOpusCodecs, type OpusSettings } from './opus.ts'

const log = {
  error(): void {
    throw new Error('nothing should be logged')
  },
}

test.each([300, 440, 1_000, 3_000])('a tone of %d Hz is the same after encoding and decoding', async (hz) => {
  const codecs = createOpusCodecs(log)
  const decoder = codecs.decoder()
  const heard = joined(
    (await encoded(sine(hz, 1), codecs)).map((packet) => decoder.decode(packet)!),
  ).subarray(800)
  expect(toneShareInParts(heard, hz)).toBeGreaterThan(0.98)
  expect(loudness(heard)).toBeGreaterThan(4_500)
  expect(loudness(heard)).toBeLessThan(6_500)
})

test('a lower bit rate is kept to, exactly if it must be constant', async () => {
  expect(sum(await lengths({ bitrateMax: 6_000 }))).toBeLessThan(sum(await lengths({})) * 0.8)
  expect(new Set(await lengths({ isBitrateConstant: true })).size).toBe(1)
})

test('what is not Opus is not decoded, and the next packet is', async () => {
  const codecs = createOpusCodecs(log)
  const [packet] = await encoded(sine(440, 0.02), codecs)
  const decoder = codecs.decoder()
  await Promise.resolve()
  await expect.poll(() => decoder.decode(packet!)?.length).toBe(160)
  expect(decoder.decode(new Uint8Array())).toBeUndefined()
  expect(decoder.decode(Uint8Array.of(255, 255, 255))).toBeUndefined()
  expect(decoder.decode(packet!)?.length).toBe(160)
})

test('what is closed is no longer open, also before it was ready', async () => {
  const codecs = createOpusCodecs(log)
  const all = [codecs.encoder(), codecs.decoder(), codecs.decoder()]
  expect(codecs.open).toBe(3)
  all[0]!.close()
  await encoded(sine(440, 0.02), codecs)
  for (const each of all) each.close()
  for (const each of all) each.close()
  expect(codecs.open).toBe(0)
})

test.each<[string, number[], OpusSettings]>([
  ['one packet', [20], {}],
  ['one packet, with redundancy,', [20], { usesRedundancy: true }],
  ['three packets in a row', [20, 21, 22], {}],
])('%s that got lost: the gap is filled with what was heard', async (_, lost, settings) => {
  const codecs = createOpusCodecs(log)
  const packets = (await encoded(sine(440, 1), codecs, settings)).map(asRtp)
  const receiver = createOpusReceiver(codecs.decoder())
  await expect.poll(() => receiver.push(packets[0]!).length).toBe(1)
  const pieces = packets
    .filter((_, i) => i > 0 && !lost.includes(i))
    .flatMap((packet) => receiver.push(packet))
  expect(pieces.map(({ timestamp }) => timestamp)).toEqual(pieces.map((_, i) => (i + 1) * 160))
  const heard = joined(pieces.map(({ samples }) => samples))
  expect(toneShareInParts(heard.subarray(1_600), 440)).toBeGreaterThan(0.8)
  // It comes too late to be used.
  expect(receiver.push(packets[lost[0]!]!)).toEqual([])
  receiver.close()
})

async function lengths(settings: OpusSettings): Promise<number[]> {
  const packets = await encoded(sine(440, 1), createOpusCodecs(log), settings)
  return packets.map(({ length }) => length)
}

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0)

/** With an encoder that is closed afterwards. */
async function encoded(
  samples: Int16Array,
  codecs: ReturnType<typeof createOpusCodecs>,
  settings?: OpusSettings,
): Promise<Uint8Array[]> {
  const encoder = codecs.encoder(settings)
  await expect.poll(() => encoder.encode(new Int16Array(160))).toBeDefined()
  const packets = []
  for (let at = 0; at < samples.length; at += 160)
    packets.push(encoder.encode(samples.subarray(at, at + 160))!)
  encoder.close()
  return packets
}

/** Timestamps wrap soon. */
function asRtp(payload: Uint8Array, i: number): RtpPacket {
  const timestamp = (2 ** 32 - 9_600 + i * 960) >>> 0
  return { payloadType: 111, marker: false, sequence: i, timestamp, ssrc: 1, payload: Buffer.from(payload) }
}
