import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { sine, stretches, toneShare, toneShareInParts } from '../../../test/harness/sound/audio-analysis.ts'
import { type MediaPlane, openMediaPlane } from '../../../test/harness/sound/media-plane.ts'
import type { RtpPhone } from '../../../test/harness/sound/rtp-phone.ts'
import { readChannels } from '../../../test/harness/sound/wav-analysis.ts'
import { renderDigit } from '../audio/dtmf.ts'
import { wavHeader } from '../audio/wav-writer.ts'

let plane: MediaPlane
let folder: string
beforeEach(async () => {
  plane = openMediaPlane()
  folder = await mkdtemp(join(tmpdir(), 'bellhop-opus-'))
})
afterEach(async () => {
  await plane.close()
  await rm(folder, { recursive: true })
})

async function opusFrames(leg: string): Promise<number> {
  const { opusDecodedFrames, opusEncodedFrames } = await plane.media.statistics(leg)
  return opusDecodedFrames + opusEncodedFrames
}

describe('between two phones with Opus', () => {
  test('packets are relayed as they are, and nothing is decoded', async () => {
    const [anna, bob] = [await plane.call({ codec: 'opus' }), await plane.call({ codec: 'opus' })]
    await plane.media.bridge(anna.leg, bob.leg)
    anna.phone.say(440)
    bob.phone.say(700)
    await Promise.all([anna.phone.hears(700), bob.phone.hears(440)])
    expect(await Promise.all([anna.leg, bob.leg].map(opusFrames))).toEqual([0, 0])
    expectOneStream(bob.phone)
  })

  test('a recording decodes what both say, and relays it as before', async () => {
    const [anna, bob] = [await plane.call({ codec: 'opus' }), await plane.call({ codec: 'opus' })]
    await plane.media.bridge(anna.leg, bob.leg)
    anna.phone.say(440)
    bob.phone.say(700)
    const file = join(folder, 'a.wav')
    const task = await plane.media.record(anna.leg, { file, channels: 2, maxMs: 60_000 })
    await Promise.all([anna.phone.hears(700), bob.phone.hears(440)])
    // Two seconds of it.
    await expect.poll(async () => (await stat(file)).size, { timeout: 30_000 }).toBeGreaterThan(64_000)
    await plane.media.stop(task)
    await plane.event('recording.ended')
    const { channels } = readChannels(await readFile(file))
    expect(sounds(channels[0]!, 440)).toBe(true)
    expect(sounds(channels[1]!, 700)).toBe(true)
    const decoded = await opusFrames(anna.leg)
    expect(decoded).toBeGreaterThan(50)
    await anna.phone.hears(700)
    expect(await opusFrames(anna.leg)).toBe(decoded)
    expectOneStream(bob.phone)
  })

  test('both hear the tone of a recording over the other one', async () => {
    const [anna, bob] = [await plane.call({ codec: 'opus' }), await plane.call({ codec: 'opus' })]
    await plane.media.bridge(anna.leg, bob.leg)
    anna.phone.say(440)
    bob.phone.say(700)
    const file = join(folder, 'a.wav')
    await plane.media.record(anna.leg, { file, channels: 2, maxMs: 60_000, warningToneEveryMs: 60_000 })
    await Promise.all([hearsBoth(anna.phone, 700, 1_400), hearsBoth(bob.phone, 440, 1_400)])
    await Promise.all([anna.phone.hears(700), bob.phone.hears(440)])
    expectOneStream(bob.phone)
  })
})

test.each([
  ['with G.711 is asked for telephone audio', 'pcma', true],
  ['with Opus is not', 'opus', false],
] as const)('a phone that will talk to a leg %s', async (_, codec, isNarrowband) => {
  const { leg: near } = await plane.call({ codec })
  const offered = await plane.media.createLeg({ transport: 'rtp', opus: true, near })
  expect(offered.ok && offered.sdp.includes('maxplaybackrate=8000')).toBe(isNarrowband)
})

test('a phone with Opus hears what is played, at the right speed and as one stream', async () => {
  const { phone, leg } = await plane.call({ codec: 'opus' })
  const music = sine(523, 1)
  const wav = Buffer.concat([wavHeader(1, music.byteLength), Buffer.from(music.buffer)])
  await plane.media.play(leg, { wav })
  await phone.hears(523)
  await plane.event('play.ended')
  await plane.media.play(leg, { tone: 'beep' })
  await plane.event('play.ended', ({ task }) => task !== undefined)
  await phone.hears(1_000)
  expectOneStream(phone)
  const caller = await plane.call()
  await plane.media.bridge(leg, caller.leg)
  caller.phone.say(700)
  await phone.hears(700)
  expectOneStream(phone)
})

test('three phones in a mix hear the others, whatever their codecs', async () => {
  const [anna, bob, carl] = [
    await plane.call({ codec: 'opus' }),
    await plane.call({ codec: 'opus', ptimeMs: 60 }),
    await plane.call(),
  ]
  await plane.media.mix([anna.leg, bob.leg, carl.leg])
  bob.phone.say(700)
  await Promise.all([anna.phone.hears(700), carl.phone.hears(700)])
  bob.phone.shutUp()
  carl.phone.say(1_100)
  await Promise.all([anna.phone.hears(1_100), bob.phone.hears(1_100)])
})

describe('digits of a phone with Opus', () => {
  test.each([
    ['a phone with Opus as well', 'opus', 'opus', 48_000],
    ['a carrier', 'opus', 'pcma', 8_000],
    ['a phone, from a carrier', 'pcma', 'opus', 48_000],
  ] as const)('reach %s, in its own clock', async (_, from, to, rate) => {
    const [anna, bob] = [await plane.call({ codec: from }), await plane.call({ codec: to })]
    await plane.media.bridge(anna.leg, bob.leg)
    anna.phone.say(440)
    await bob.phone.hears(440)
    anna.phone.press('5')
    const { digit } = await plane.event('digit', ({ leg }) => leg === anna.leg)
    expect(digit).toBe('5')
    const end = await bob.phone.until('the end of the event', () =>
      bob.phone.heard.find(({ packet }) => packet.header.payloadType === 101 && packet.payload[1]! & 0x80),
    )
    expect(end.packet.payload[0]).toBe(5)
    const durationMs = (end.packet.payload.readUInt16BE(2) * 1_000) / rate
    expect(durationMs).toBeGreaterThanOrEqual(60)
    expect(durationMs).toBeLessThanOrEqual(100)
    await bob.phone.hears(440)
  })

  test('are found in its sound, if it signals none', async () => {
    const { phone, leg } = await plane.call({ codec: 'opus', events: false })
    const task = await plane.media.collectDigits(leg, { count: 2, firstDigitMs: 20_000, nextDigitMs: 20_000 })
    for (const digit of ['4', '2'] as const) {
      await phone.recite(renderDigit(digit))
      await phone.recite(new Int16Array(1_600))
    }
    await phone.recite(new Int16Array(8_000))
    expect(await plane.event('digits.collected')).toMatchObject({ task, digits: '42' })
  })
})

/** Numbers follow each other, and time goes on at 48 kHz. */
function expectOneStream(phone: RtpPhone): void {
  const headers = phone.heard.map(({ packet }) => packet.header)
  expect(new Set(headers.map(({ ssrc }) => ssrc)).size).toBe(1)
  headers.slice(1).forEach((header, i) => {
    expect((header.sequenceNumber - headers[i]!.sequenceNumber) & 0xffff).toBe(1)
    expect((header.timestamp - headers[i]!.timestamp) >>> 0).toBeGreaterThanOrEqual(960)
    expect((header.timestamp - headers[i]!.timestamp) >>> 0).toBeLessThan(48_000)
  })
}

/** At once, in the packets of 100 ms. */
const hearsBoth = (phone: RtpPhone, ...tones: number[]) =>
  phone.until(`${tones.join(' and ')} Hz`, () => {
    const has = phone.heard.map(({ samples }) => tones.every((hz) => toneShare(samples, hz) > 0.1))
    return has.filter(Boolean).length >= 5
  })

const sounds = (channel: Float32Array, hz: number): boolean =>
  stretches(channel).some((part) => toneShareInParts(part, hz) > 0.95)
