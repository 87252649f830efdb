import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { wavHeader } from '../../../server/media/audio/wav-writer.ts'
import type { PortRange } from '../../../server/media/embedded/transport/ports.ts'
import { MediaFailed } from '../../../server/media/port.ts'
import { freePorts } from '../processes/ports.ts'
import { sine, toneShareInParts } from './audio-analysis.ts'
import type { MediaPlane } from './media-plane.ts'
import { readChannels } from './wav-analysis.ts'

/** What signalling may rely on, wherever the media runs. */
export function mediaPortContract(
  openPlane: (options?: { ports?: PortRange }) => Promise<MediaPlane> | MediaPlane,
): void {
  let folder: string
  const planes: MediaPlane[] = []
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bellhop-media-'))
  })
  afterEach(async () => {
    for (const plane of planes.splice(0)) await plane.close()
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  async function open(ports?: PortRange): Promise<MediaPlane> {
    const plane = await openPlane(ports && { ports })
    planes.push(plane)
    return plane
  }

  test('two bridged legs hear each other, three in a mix hear the others, and each is counted', async () => {
    const { media, call } = await open()
    const [anna, bob, carl] = [await call(), await call({ encrypted: true }), await call({ codec: 'pcmu' })]
    await media.bridge(anna.leg, bob.leg)
    anna.phone.say(440)
    bob.phone.say(700)
    await Promise.all([anna.phone.hears(700), bob.phone.hears(440)])
    await media.mix([anna.leg, bob.leg, carl.leg])
    carl.phone.say(1_100)
    bob.phone.shutUp()
    await anna.phone.hears(1_100)
    const { receivedPackets, sentPackets } = await media.statistics(anna.leg)
    expect(Math.min(receivedPackets, sentPackets)).toBeGreaterThan(20)
  })

  test('what fails is the same error everywhere', async () => {
    const first = await freePorts(4)
    const { media, call } = await open({ from: first, to: first + 1 })
    const { leg } = await call()
    await expect(call()).rejects.toBeInstanceOf(MediaFailed)
    await expect(call()).rejects.toMatchObject({ why: 'no_ports', name: 'MediaFailed' })
    await expect(media.play(leg, { wav: Buffer.from('MP3') })).rejects.toMatchObject({
      why: 'sound',
      message: expect.stringContaining('cannot be played'),
    })
    const file = join(folder, 'no-such-folder', 'a.wav')
    await expect(media.record(leg, { file, channels: 1, maxMs: 1_000 })).rejects.toThrow(/ENOENT/)
    await media.close(leg)
    await media.close(leg)
    await expect(media.hold(leg, 'sendonly')).rejects.toBeInstanceOf(MediaFailed)
    await expect(media.hold(leg, 'sendonly')).rejects.toMatchObject({ why: 'leg_gone' })
    expect(await media.createLeg({ offer: 'v=0' })).toMatchObject({ ok: false })
  })

  test('ports are counted while they are in use', async () => {
    const first = await freePorts(4)
    const { media, call } = await open({ from: first, to: first + 3 })
    expect(await media.portUsage()).toEqual({ inUse: 0, total: 4 })
    const { leg } = await call()
    expect(await media.portUsage()).toEqual({ inUse: 2, total: 4 })
    await media.close(leg)
    await expect.poll(() => media.portUsage()).toEqual({ inUse: 0, total: 4 })
  })

  test('an event comes before the reply that follows it, and after the reply that it is about', async () => {
    const { media, call } = await open()
    const { leg } = await call()
    const order: string[] = []
    media.listen((event) => order.push('task' in event ? `${event.on} ${event.task}` : event.on))
    const started = async (task: Promise<string>) => order.push(`started ${await task}`)
    for (let i = 0; i < 20; i++) await started(media.play(leg, { tone: 'beep' }))
    await started(media.collectDigits(leg, { count: 1, firstDigitMs: 60_000, nextDigitMs: 60_000 }))
    await media.pressed(leg, '5').then(() => order.push('pressed'))
    await media.close(leg).then(() => order.push('closed'))
    const tasks = order.flatMap((each) => (each.startsWith('started') ? [each.split(' ')[1]!] : []))
    expect(new Set(tasks).size).toBe(21)
    for (const task of tasks) {
      const ended = order.findIndex((each) => each.endsWith(` ${task}`) && !each.startsWith('started'))
      expect(ended).toBeGreaterThan(order.indexOf(`started ${task}`))
    }
    expect(order.slice(-6)).toEqual([
      'digit',
      `digits.collected ${tasks.at(-1)}`,
      'pressed',
      `play.ended ${tasks.at(-2)}`,
      'leg.closed',
      'closed',
    ])
  })

  test('a listener that throws does not affect the others, and one that has left hears nothing', async () => {
    const { media, call } = await open()
    const heard: string[] = []
    media.listen(() => {
      throw new Error('the test listens badly')
    })
    media.listen((event) => heard.push(event.on))
    media.listen((event) => heard.push(`left ${event.on}`))()
    const { leg } = await call()
    await media.close(leg)
    expect(heard).toEqual(['leg.closed'])
  })

  test('the bytes of a prompt are played to many, and remain those of whoever has them', async () => {
    const { media, call } = await open()
    const prompt = wavOf(sine(600, 1))
    // As a part of a larger buffer, like what is read from a socket.
    const wav = Buffer.concat([Buffer.alloc(100), prompt, Buffer.alloc(100)]).subarray(
      100,
      100 + prompt.length,
    )
    for (let i = 0; i < 3; i++) {
      const { phone, leg } = await call()
      await media.play(leg, { wav })
      await phone.hears(600)
    }
    expect(wav.equals(prompt)).toBe(true)
    const { phone, leg } = await call()
    await media.play(leg, { wav: wavOf(sine(900, 1)) })
    await phone.hears(900)
  })

  test('a recording is on disk when its end is reported', async () => {
    const { media, call, event } = await open()
    const file = join(folder, 'stereo.wav')
    const [anna, bob] = [await call(), await call()]
    await media.bridge(anna.leg, bob.leg)
    anna.phone.say(440)
    bob.phone.say(700)
    const task = await media.record(anna.leg, { file, channels: 2, maxMs: 60_000 })
    await anna.phone.hears(700)
    await bob.phone.hears(440)
    await media.stop(task)
    const ended = await event('recording.ended')
    expect(ended).toMatchObject({ leg: anna.leg, task, file, why: 'stopped' })
    const [left, right] = readChannels(await readFile(file)).channels
    expect(left!.length).toBe(ended.durationMs * 8)
    expect(toneShareInParts(left!, 440)).toBeGreaterThan(0.3)
    expect(toneShareInParts(right!, 700)).toBeGreaterThan(0.3)
  })
}

function wavOf(samples: Int16Array): Buffer {
  const sound = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)
  return Buffer.concat([wavHeader(1, sound.length), sound])
}
