import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import { RtcpPacketConverter, RtcpSrPacket } from 'werift'

import {
  longestSilence,
  loudness,
  sine,
  stretches,
  toneShare,
  toneShareInParts,
} from '../../../test/harness/sound/audio-analysis.ts'
import { type MediaPlane, openMediaPlane } from '../../../test/harness/sound/media-plane.ts'
import { joined, type RtpPhone } from '../../../test/harness/sound/rtp-phone.ts'
import { readChannels } from '../../../test/harness/sound/wav-analysis.ts'
import { createTestClock } from '../../../test/harness/test-clock.ts'
import { createDtmfDetector } from '../audio/dtmf-detector.ts'
import { type Digit, renderDigit } from '../audio/dtmf.ts'
import { wavHeader } from '../audio/wav-writer.ts'

const PATIENCE = { timeout: 30_000, interval: 20 }

let folder: string
let plane: MediaPlane
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bellhop-stages-'))
})
beforeEach(() => {
  plane = openMediaPlane()
})
afterEach(() => plane.close())
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('a prompt', () => {
  test('arrives completely and without gaps, resampled, one packet every 20 ms', async () => {
    const file = join(folder, 'prompt.wav')
    await writeFile(file, wavOf(sine(600, 2, 22_050), 22_050))
    const { phone, leg } = await plane.call()
    const task = await plane.media.play(leg, { file })
    expect(await plane.event('play.ended')).toEqual({ on: 'play.ended', leg, task, why: 'finished' })
    await phone.until('all of it', () => phone.heard.length >= 100)
    const sound = phone.sound()
    expect(sound.length).toBe(2 * 8_000)
    expect(toneShare(sound, 600)).toBeGreaterThan(0.99)
    expect(longestSilence(sound)).toBeLessThan(16)
    const headers = phone.heard.map(({ packet }) => packet.header)
    headers.slice(1).forEach((header, i) => {
      expect((header.sequenceNumber - headers[i]!.sequenceNumber) & 0xffff).toBe(1)
      expect((header.timestamp - headers[i]!.timestamp) >>> 0).toBe(160)
    })
    const tookMs = phone.heard.at(-1)!.atMs - phone.heard[0]!.atMs
    // On a busy machine the test reads the first packets late.
    expect(tookMs).toBeGreaterThan(1_000)
  })

  test('loops seamlessly until it is stopped', async () => {
    const { phone, leg } = await plane.call({ codec: 'pcmu' })
    // 0.31 seconds is a whole number of periods, but not of frames.
    const task = await plane.media.play(leg, { wav: wavOf(sine(500, 0.31), 8_000) }, { loop: true })
    await phone.until('more than a second', () => phone.last(1_200))
    await plane.media.stop(task)
    expect(await plane.event('play.ended')).toMatchObject({ why: 'stopped' })
    expect(toneShare(phone.last(1_200)!, 500)).toBeGreaterThan(0.99)
  })

  test('that is shorter than a sample of ours ends at once, even in a loop', async () => {
    const { leg } = await plane.call()
    await plane.media.play(leg, { wav: wavOf(new Int16Array([1, 2, 3]), 48_000) }, { loop: true })
    expect(await plane.event('play.ended')).toMatchObject({ why: 'finished' })
  })

  test('begins at once, and the next one in the rhythm of the stream', async () => {
    const clock = createTestClock()
    const stopped = openMediaPlane({ clock })
    onTestFinished(() => stopped.close())
    const { phone, leg } = await stopped.call()
    await stopped.media.play(leg, { tone: 'busy' })
    await phone.until('the first packet', () => phone.heard.length > 0)
    clock.advance(50 * 20)
    await stopped.media.play(leg, { tone: 'ringback' })
    clock.advance(50 * 20)
    const { sentPackets } = await stopped.media.statistics(leg)
    expect(sentPackets).toBe(1 + 50 + 50)
  })

  test('stops for the next one, and for a DTMF digit', async () => {
    const { phone, leg } = await plane.call()
    const first = await plane.media.play(leg, { tone: 'busy' })
    await phone.hears(425)
    const second = await plane.media.play(leg, { wav: wavOf(sine(900, 5), 8_000) }, { untilDigit: true })
    expect(await plane.event('play.ended')).toMatchObject({ task: first, why: 'replaced' })
    await phone.hears(900)
    phone.press('1')
    expect(await plane.event('play.ended', ({ task }) => task === second)).toMatchObject({ why: 'digit' })
  })

  test('that is not audio is refused with a reason, and the leg continues', async () => {
    const { phone, leg } = await plane.call()
    await expect(plane.media.play(leg, { file: join(folder, 'none.wav') })).rejects.toMatchObject({
      why: 'sound',
    })
    await expect(plane.media.play(leg, { wav: Buffer.from('MP3') })).rejects.toMatchObject({
      why: 'sound',
    })
    await plane.media.play(leg, { tone: 'beep' })
    await phone.hears(1_000)
  })
})

/** The tones of digits, each followed by a pause. */
const tones = (digits: string) =>
  joined(Array.from(digits, (digit) => joined([renderDigit(digit as Digit), new Int16Array(1_600)])))

/**
 * A call whose time passes with the tones that are heard: on a machine without a free core they would arrive with gaps,
 * and a tone with a gap is two digits.
 */
async function timedCall(options?: Parameters<MediaPlane['call']>[0]) {
  const clock = createTestClock()
  const timed = openMediaPlane({ clock })
  onTestFinished(() => timed.close())
  const { phone, leg } = await timed.call(options)
  async function hear(digits: string) {
    const sound = tones(digits)
    const { receivedPackets: before } = await timed.media.statistics(leg)
    // Frame by frame: the jitter buffer drops what has waited for long.
    for (let frame = 0; frame < sound.length / 160; frame++) {
      await phone.recite(sound.subarray(frame * 160, (frame + 1) * 160))
      await vi.waitFor(async () => {
        const { receivedPackets } = await timed.media.statistics(leg)
        expect(receivedPackets).toBeGreaterThan(before + frame)
      }, PATIENCE)
      clock.advance(20)
    }
  }
  return { timed, clock, phone, leg, hear }
}

describe('digits', () => {
  const OPTIONS = { count: 4, terminator: '#' as const, firstDigitMs: 15_000, nextDigitMs: 15_000 }

  test('are collected from events up to the terminator, or up to their count', async () => {
    const { phone, leg } = await plane.call()
    const first = await plane.media.collectDigits(leg, OPTIONS)
    phone.press('12#')
    expect(await plane.event('digits.collected')).toMatchObject({
      task: first,
      digits: '12',
      why: 'terminator',
    })
    const second = await plane.media.collectDigits(leg, OPTIONS)
    phone.press('34*0')
    expect(await plane.event('digits.collected', ({ task }) => task === second)).toMatchObject({
      digits: '34*0',
      why: 'count',
    })
  })

  test('are collected from in-band tones of a phone without telephone events, and from signalling', async () => {
    const { timed, leg, hear } = await timedCall({ events: false })
    await timed.media.collectDigits(leg, OPTIONS)
    await hear('779')
    await timed.event('digit', ({ digit }) => digit === '9')
    await timed.media.pressed(leg, '#')
    expect(await timed.event('digits.collected')).toMatchObject({ digits: '779', why: 'terminator' })
  })

  describe('of a phone that could send telephone events', () => {
    test('but sends tones only, are collected from the tones', async () => {
      const { phone, leg } = await plane.call()
      await plane.media.collectDigits(leg, { ...OPTIONS, firstDigitMs: 500 })
      await phone.recite(tones('42'))
      await plane.event('digit', ({ digit }) => digit === '2')
      await plane.media.collectDigits(leg, { ...OPTIONS, count: 1 })
      await phone.recite(tones('7'))
      expect(await plane.event('digits.collected', ({ why }) => why === 'count')).toMatchObject({
        digits: '7',
      })
    })

    test.each<[string, (timed: MediaPlane, phone: RtpPhone, leg: string) => Promise<void> | void]>([
      ['telephone events', (_, phone) => phone.press('4')],
      ['INFO', ({ media }, _, leg) => media.pressed(leg, '4')],
    ])('and sends both tones and %s, are collected once', async (_, signal) => {
      const { timed, clock, phone, leg, hear } = await timedCall()
      await timed.media.collectDigits(leg, OPTIONS)
      await hear('4')
      expect(timed.events.filter(({ on }) => on === 'digit')).toEqual([])
      await signal(timed, phone, leg)
      await timed.event('digit')
      clock.advance(2_000)
      await hear('5')
      clock.advance(2_000)
      await timed.media.pressed(leg, '#')
      expect(await timed.event('digits.collected')).toMatchObject({ digits: '4', why: 'terminator' })
    })
  })

  test('time out, before the first digit and between two', async () => {
    const clock = createTestClock()
    const timed = openMediaPlane({ clock })
    const { phone, leg } = await timed.call()
    const options = { count: 4, firstDigitMs: 5_000, nextDigitMs: 2_000 }
    await timed.media.collectDigits(leg, options)
    clock.advance(4_980)
    expect(timed.events).toEqual([])
    clock.advance(40)
    expect(timed.events).toMatchObject([{ on: 'digits.collected', digits: '', why: 'timeout' }])
    const task = await timed.media.collectDigits(leg, options)
    phone.press('5')
    await timed.event('digit')
    clock.advance(1_960)
    expect(timed.events.at(-1)).toMatchObject({ on: 'digit' })
    clock.advance(60)
    expect(timed.events.at(-1)).toMatchObject({ task, digits: '5', why: 'timeout' })
    await timed.close()
  })

  test('are sent as telephone events, or as tones to a phone without them', async () => {
    const { phone, leg } = await plane.call()
    await plane.media.sendDigits(leg, ['4', '#'])
    const events = await phone.until('16 events', () => phone.heard.length >= 16 && phone.heard.slice())
    expect(events.map(({ packet }) => packet.payload[0])).toEqual([...Array(8).fill(4), ...Array(8).fill(11)])
    const presses = new Set(events.map(({ packet }) => packet.header.timestamp))
    expect(presses.size).toBe(2)

    const plain = await plane.call({ events: false })
    await plane.media.sendDigits(plain.leg, ['4', '#'])
    await plain.phone.until('both tones', () => plain.phone.heard.length >= 16)
    expect(createDtmfDetector().push(plain.phone.sound())).toEqual(['4', '#'])
  })
})

/** Whether this tone alone occurs somewhere. */
const sounds = (channel: Float32Array, hz: number) =>
  stretches(channel).some((stretch) => toneShareInParts(stretch, hz) > 0.95)

const both = (sound: Float32Array | Int16Array) =>
  [700, 1_100].every((hz) => toneShareInParts(sound, hz) > 0.4)

/** Waits for the recorder warning tone, with this tone beside it if one is given. */
function isWarned(phone: RtpPhone, besideHz?: number): Promise<boolean> {
  const from = phone.heard.length
  return phone.until('1,400 Hz', () => {
    const sound = phone.last(100, from)
    const hasOther = besideHz === undefined || toneShare(sound ?? [], besideHz) > 0.2
    return sound && toneShare(sound, 1_400) > 0.2 && hasOther
  })
}

describe('a recording', () => {
  test('in stereo has the caller on the left and the employee on the right, also after a transfer', async () => {
    const file = join(folder, 'stereo.wav')
    const [caller, anna] = [await plane.call(), await plane.call({ encrypted: true })]
    await plane.media.bridge(caller.leg, anna.leg)
    caller.phone.say(440)
    anna.phone.say(700)
    const task = await plane.media.record(caller.leg, { file, channels: 2, maxMs: 60_000 })
    await caller.phone.hears(700)
    await caller.phone.hears(700)
    const bob = await plane.call({ codec: 'pcmu' })
    bob.phone.say(1_100)
    await plane.media.bridge(caller.leg, bob.leg)
    await caller.phone.hears(1_100)
    await caller.phone.hears(1_100)
    await plane.media.stop(task)
    const ended = await plane.event('recording.ended')
    expect(ended).toMatchObject({ leg: caller.leg, task, file, why: 'stopped' })
    const { channels } = readChannels(await readFile(file))
    const [left, right] = channels as [Float32Array, Float32Array]
    expect(left.length).toBe(ended.durationMs * 8)
    expect(sounds(left, 440)).toBe(true)
    expect(sounds(right, 700)).toBe(true)
    expect(sounds(right, 1_100)).toBe(true)
    expect(toneShareInParts(right, 440)).toBeLessThan(0.02)
  })

  test('of a mix has the others on the right', async () => {
    const file = join(folder, 'mix.wav')
    const parties = [await plane.call(), await plane.call(), await plane.call()]
    const tones = [440, 700, 1_100]
    await plane.media.mix(parties.map(({ leg }) => leg))
    parties.forEach(({ phone }, i) => phone.say(tones[i]!))
    const task = await plane.media.record(parties[0]!.leg, { file, channels: 2, maxMs: 60_000 })
    const { phone } = parties[0]!
    // For longer than a busy machine may take to send the next packet of a phone.
    await phone.until('the others', () => phone.last(3_000) && both(phone.last(400)!))
    await plane.media.stop(task)
    await plane.event('recording.ended')
    const [left, right] = readChannels(await readFile(file)).channels
    expect(sounds(left!, 440)).toBe(true)
    expect(stretches(right!).some(both)).toBe(true)
    expect(toneShareInParts(right!, 440)).toBeLessThan(0.02)
  })

  test('has silence on both channels while it is paused, and lasts as long as without', async () => {
    const file = join(folder, 'paused.wav')
    const [caller, anna] = [await plane.call(), await plane.call()]
    await plane.media.bridge(caller.leg, anna.leg)
    const task = await plane.media.record(caller.leg, { file, channels: 2, maxMs: 60_000 })
    async function say(callerHz: number, annaHz: number) {
      caller.phone.say(callerHz)
      anna.phone.say(annaHz)
      await Promise.all([caller.phone.hears(annaHz), anna.phone.hears(callerHz)])
      // And once more, so that the jitter buffer has nothing of before.
      await Promise.all([caller.phone.hears(annaHz), anna.phone.hears(callerHz)])
    }
    await say(440, 700)
    expect(await plane.media.pauseRecording(task)).toBe(true)
    expect(await plane.media.pauseRecording(task)).toBe(true)
    await say(500, 900)
    // Somebody else gets the call meanwhile.
    const bob = await plane.call()
    bob.phone.say(1_100)
    await plane.media.bridge(caller.leg, bob.leg)
    await Promise.all([caller.phone.hears(1_100), bob.phone.hears(500)])
    caller.phone.say(600)
    bob.phone.say(1_300)
    await bob.phone.hears(600)
    caller.phone.say(1_700)
    bob.phone.say(1_900)
    await Promise.all([bob.phone.hears(1_700), caller.phone.hears(1_900)])
    caller.phone.say(600)
    bob.phone.say(1_300)
    expect(await plane.media.resumeRecording(task)).toBe(true)
    await Promise.all([bob.phone.hears(600), caller.phone.hears(1_300)])
    await Promise.all([bob.phone.hears(600), caller.phone.hears(1_300)])
    await plane.media.stop(task)
    const { durationMs } = await plane.event('recording.ended')
    expect(await plane.media.pauseRecording(task)).toBe(false)
    const [left, right] = readChannels(await readFile(file)).channels as [Float32Array, Float32Array]
    expect(left.length).toBe(durationMs * 8)
    for (const [channel, before, meanwhile, after] of [
      [left, 440, [500, 1_700], 600],
      [right, 700, [900, 1_100, 1_900], 1_300],
    ] as const) {
      expect(sounds(channel, before)).toBe(true)
      expect(sounds(channel, after)).toBe(true)
      for (const hz of meanwhile) expect(toneShareInParts(channel, hz)).toBeLessThan(0.02)
      // Four times 400 ms at least, and not a single sample of noise.
      expect(longestSilence(channel, 1e-9)).toBeGreaterThan(1_600 * 8)
    }
  })

  test('reminds everybody by a tone that is added to what they hear, except while it is paused', async () => {
    const file = join(folder, 'warning.wav')
    const [caller, anna] = [await plane.call(), await plane.call({ codec: 'pcmu', encrypted: true })]
    await plane.media.bridge(caller.leg, anna.leg)
    caller.phone.say(440)
    anna.phone.say(700)
    await Promise.all([caller.phone.hears(700), anna.phone.hears(440)])
    const everyMs = 800
    const task = await plane.media.record(caller.leg, {
      file,
      channels: 2,
      maxMs: 60_000,
      warningToneEveryMs: everyMs,
    })
    await Promise.all([isWarned(caller.phone, 700), isWarned(anna.phone, 440)])
    await Promise.all([caller.phone.hears(700), anna.phone.hears(440)])
    await Promise.all([isWarned(caller.phone, 700), isWarned(anna.phone, 440)])
    await plane.media.pauseRecording(task)
    await Promise.all([caller.phone.hears(700), anna.phone.hears(440)])
    const [callerFrom, annaFrom] = [caller.phone.heard.length, anna.phone.heard.length]
    await caller.phone.until('two intervals', () => caller.phone.last(2 * everyMs, callerFrom))
    await anna.phone.until('two intervals', () => anna.phone.last(2 * everyMs, annaFrom))
    expect(toneShareInParts(caller.phone.sound(callerFrom), 1_400)).toBeLessThan(0.01)
    expect(toneShareInParts(anna.phone.sound(annaFrom), 1_400)).toBeLessThan(0.01)
    // When it resumes, they hear at once that it has.
    await plane.media.resumeRecording(task)
    await Promise.all([isWarned(caller.phone, 700), isWarned(anna.phone, 440)])
    // Also a participant to whom nobody speaks.
    anna.phone.shutUp()
    await caller.phone.until('the tone alone', () => {
      const sound = caller.phone.last(100)
      return sound && toneShare(sound, 1_400) > 0.9
    })
    await plane.media.stop(task)
    await plane.event('recording.ended')
    for (const channel of readChannels(await readFile(file)).channels)
      expect(stretches(channel).every((stretch) => toneShareInParts(stretch, 1_400) < 0.1)).toBe(true)
  })

  test('reminds everybody in a mix, and somebody who hears music', async () => {
    const file = join(folder, 'warned-mix.wav')
    const parties = [await plane.call(), await plane.call(), await plane.call()]
    await plane.media.mix(parties.map(({ leg }) => leg))
    parties[0]!.phone.say(440)
    const options = { file, channels: 2, maxMs: 60_000, warningToneEveryMs: 400 } as const
    await plane.media.record(parties[0]!.leg, options)
    await Promise.all(parties.map(({ phone }) => isWarned(phone)))
    await plane.media.separate(parties[0]!.leg)
    await plane.media.play(parties[0]!.leg, { wav: wavOf(sine(700, 5), 8_000) }, { loop: true })
    await parties[0]!.phone.until('music', () => toneShare(parties[0]!.phone.last(100) ?? [], 700) > 0.9)
    await isWarned(parties[0]!.phone, 700)
  })

  test('in mono ends when the caller is silent, hangs up, or reaches the limit', async () => {
    const [file, second] = [join(folder, 'mono.wav'), join(folder, 'second.wav')]
    const { phone, leg } = await plane.call()
    phone.say(440)
    await plane.event('leg.connected')
    const task = await plane.media.record(leg, { file, channels: 1, maxMs: 60_000, silenceMs: 600 })
    const limited = await plane.media.record(leg, { file: second, channels: 1, maxMs: 400 })
    expect(await plane.event('recording.ended')).toMatchObject({
      task: limited,
      durationMs: 400,
      why: 'limit',
    })
    expect(readChannels(await readFile(second)).channels[0]!.length).toBe(3_200)
    phone.shutUp()
    expect(await plane.event('recording.ended', (event) => event.task === task)).toMatchObject({
      why: 'silence',
    })
    const [sound] = readChannels(await readFile(file)).channels
    expect(sounds(sound!, 440)).toBe(true)
    expect(loudness(sound!.subarray(-3_200))).toBeLessThan(0.005)
    const last = await plane.media.record(leg, { file, channels: 1, maxMs: 60_000 })
    await plane.media.close(leg)
    expect(await plane.event('recording.ended', (event) => event.task === last)).toMatchObject({
      why: 'leg_closed',
    })
  })
})

describe('a leg', () => {
  test('reports that no packets arrive, and again at intervals', async () => {
    const clock = createTestClock()
    const timed = openMediaPlane({ clock })
    const { phone, leg } = await timed.call()
    phone.press('1')
    await timed.event('digit')
    clock.advance(6_000)
    expect(timed.events.filter(({ on }) => on === 'leg.quiet')).toEqual([])
    clock.advance(2_000)
    expect(timed.events.filter(({ on }) => on === 'leg.quiet')).toMatchObject([{ leg }])
    clock.advance(28_000)
    expect(timed.events.filter(({ on }) => on === 'leg.quiet')).toHaveLength(1)
    clock.advance(3_000)
    expect(timed.events.filter(({ on }) => on === 'leg.quiet')).toHaveLength(2)
    await timed.close()
  })

  test.each([3_600_000, -3_600_000])('survives a change of the system clock by %i ms', async (jump) => {
    const clock = createTestClock()
    let shift = 0
    const timed = openMediaPlane({ clock: { ...clock, now: () => new Date(clock.now().getTime() + shift) } })
    const { phone, leg } = await timed.call()
    phone.press('1')
    await timed.event('digit')
    clock.advance(3_000)
    shift = jump
    clock.advance(3_000)
    expect(timed.events.filter(({ on }) => on === 'leg.quiet')).toEqual([])
    clock.advance(2_000)
    expect(timed.events.filter(({ on }) => on === 'leg.quiet')).toMatchObject([{ leg }])
    await timed.close()
  })

  test('sends RTCP reports, and a BYE at the end', async () => {
    const clock = createTestClock()
    const timed = openMediaPlane({ clock })
    const [anna, bob] = [await timed.call(), await timed.call()]
    await timed.media.bridge(anna.leg, bob.leg)
    anna.phone.press('1')
    await bob.phone.until('events', () => bob.phone.heard.length === 3)
    clock.advance(5_100)
    const reports = (phone: typeof anna.phone) =>
      phone.rtcp.flatMap((bytes) => RtcpPacketConverter.deSerialize(bytes))
    await vi.waitFor(() => {
      for (const { phone } of [anna, bob]) expect(reports(phone).length).toBeGreaterThan(0)
    }, PATIENCE)
    const toBob = reports(bob.phone).find((report) => report instanceof RtcpSrPacket)
    expect(toBob).toMatchObject({
      ssrc: bob.phone.heard[0]!.packet.header.ssrc,
      senderInfo: { packetCount: 3 },
    })
    expect(reports(anna.phone)[0]).toMatchObject({
      reports: [{ ssrc: anna.phone.header.ssrc, fractionLost: 0, packetsLost: 0 }],
    })
    await timed.media.close(anna.leg)
    await vi.waitFor(() => expect(anna.phone.rtcp.at(-1)!.includes(203, 8)).toBe(true), PATIENCE)
    await timed.close()
  })
})

function wavOf(samples: Int16Array, rate: number): Buffer {
  const sound = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)
  return Buffer.concat([wavHeader(1, sound.length, rate), sound])
}
