import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'

import { toneShareInParts } from '../harness/sound/audio-analysis.ts'
import { openRtpenginePlane } from '../harness/sound/media-plane.ts'
import { type PhoneOptions, RTPENGINE_BURST, startPhone } from '../harness/sound/rtp-phone.ts'
import { type Rtpengine, startRtpengine } from '../harness/sound/rtpengine.ts'
import { readChannels } from '../harness/sound/wav-analysis.ts'
import { hearDirectly } from './hear-directly.ts'

type Plane = Awaited<ReturnType<typeof openRtpenginePlane>>
type Called = Awaited<ReturnType<Plane['call']>>

let rtpengine: Rtpengine
let plane: Plane
beforeAll(async () => {
  rtpengine = await startRtpengine()
})
beforeEach(async () => {
  plane = await openRtpenginePlane([rtpengine])
})
afterEach(() => plane.close())

describe('two legs that only talk to each other', () => {
  test.each<[string, PhoneOptions, PhoneOptions]>([
    ['in the same codec', {}, {}],
    ['both encrypted', { encrypted: true }, { encrypted: true }],
    ['one of them encrypted', { encrypted: true, codec: 'pcmu' }, { codec: 'pcmu' }],
    ['in two laws', { codec: 'pcmu' }, {}],
    ['in two laws, encrypted', { codec: 'pcmu', encrypted: true }, { encrypted: true }],
    ['in Opus', { codec: 'opus' }, { codec: 'opus' }],
    ['in Opus and G.711', { codec: 'opus' }, { encrypted: true }],
    ['over IPv4 and IPv6', { family: 6 }, {}],
  ])('hear each other and their digits past this process: %s', async (_, annas, bobs) => {
    const [anna, bob] = await talk(annas, bobs)
    await expectDirect(anna, bob)
    anna.phone.shutUp()
    anna.phone.press('5')
    await bob.phone.until('the digit', () =>
      bob.phone.heard.some(({ packet }) => packet.header.payloadType === 101),
    )
  })

  test('get no second stream before their jitter buffers have played the first', async () => {
    const anna = await plane.call()
    const bob = await plane.call({ near: anna.leg })
    anna.phone.say(440)
    bob.phone.say(700)
    await plane.media.bridge(anna.leg, bob.leg)
    await bob.phone.until('two streams', () => streamsOf(bob).length > 1)
    expect(streamsOf(bob)[0]).toBeGreaterThan(10)
    await expectDirect(anna, bob)
  })

  test('are counted as if the packets had passed this process', async () => {
    const [anna, bob] = await talk()
    await expectDirect(anna, bob)
    const counted = async () => {
      const { sentPackets, receivedPackets } = await plane.media.statistics(anna.leg)
      return Math.min(sentPackets, receivedPackets)
    }
    await expect.poll(counted, { timeout: 20_000 }).toBeGreaterThan(100)
    await plane.media.close(anna.leg)
    const { statistics } = await plane.event('leg.closed')
    expect(Math.min(statistics.sentPackets, statistics.receivedPackets)).toBeGreaterThan(100)
  })

  test('are connected through this process for a sound, and directly again after it', async () => {
    const [anna, bob] = await talk()
    await expectDirect(anna, bob)
    const task = await plane.media.play(anna.leg, { tone: 'busy' })
    await anna.phone.hears(425)
    await plane.media.stop(task)
    await anna.phone.hears(700)
    await expectDirect(anna, bob)
  })

  test('are transcoded by rtpengine after a sound of this process', async () => {
    const anna = await plane.call({ codec: 'opus' })
    const ringing = await plane.media.play(anna.leg, { tone: 'ringback' })
    await anna.phone.hears(425)
    const bob = await ring(anna)
    await plane.media.stop(ringing)
    await plane.media.bridge(anna.leg, bob.leg)
    anna.phone.say(440)
    bob.phone.say(700)
    await expectDirect(anna, bob)
  })

  test('are recorded in this process', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bellhop-media-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const [anna, bob] = await talk({ encrypted: true })
    await expectDirect(anna, bob)
    const file = join(folder, 'stereo.wav')
    const task = await plane.media.record(anna.leg, { file, channels: 2, maxMs: 60_000 })
    const before = (await plane.embedded.statistics(anna.leg)).receivedPackets
    await expect
      .poll(async () => (await plane.embedded.statistics(anna.leg)).receivedPackets - before, {
        timeout: 20_000,
      })
      .toBeGreaterThan(50)
    await plane.media.stop(task)
    await plane.event('recording.ended')
    const [left, right] = readChannels(await readFile(file)).channels
    expect(toneShareInParts(left!, 440)).toBeGreaterThan(0.3)
    expect(toneShareInParts(right!, 700)).toBeGreaterThan(0.3)
    await expectDirect(anna, bob)
  })

  test('can press keys for a menu, be put on hold, join a conference, and talk again', async () => {
    const [anna, bob] = await talk()
    await plane.media.collectDigits(anna.leg, { count: 2, firstDigitMs: 60_000, nextDigitMs: 60_000 })
    anna.phone.press('12')
    expect(await plane.event('digits.collected')).toMatchObject({ digits: '12' })
    await expectDirect(anna, bob)

    for (const direction of ['sendonly', 'sendrecv'] as const) {
      const set = await plane.media.setRemote(anna.leg, { type: 'offer', sdp: anna.phone.sdp(direction) })
      expect(set).toMatchObject({ ok: true, direction: direction === 'sendonly' ? 'recvonly' : 'sendrecv' })
    }
    await expectDirect(anna, bob)

    const carl = await plane.call({ near: anna.leg, codec: 'pcmu' })
    carl.phone.say(1_100)
    await plane.media.mix([anna.leg, bob.leg, carl.leg])
    bob.phone.shutUp()
    await anna.phone.hears(1_100)
    await plane.media.bridge(anna.leg, bob.leg)
    bob.phone.say(700)
    await expectDirect(anna, bob)
    await plane.media.bridge(anna.leg, carl.leg)
    await Promise.all([anna.phone.hears(1_100), carl.phone.hears(440)])
    await plane.media.close(carl.leg)
    await plane.media.play(anna.leg, { tone: 'busy' })
    await anna.phone.hears(425)
  })

  test('send digits to the other side', async () => {
    const [anna, bob] = await talk()
    await expectDirect(anna, bob)
    anna.phone.shutUp()
    await plane.media.sendDigits(bob.leg, ['7'])
    await bob.phone.until('the digit', () =>
      bob.phone.heard.some(({ packet }) => packet.header.payloadType === 101),
    )
    anna.phone.say(440)
    await bob.phone.hears(440)
    await expectDirect(anna, bob)
  })

  test('are found through a pair of legs within this process', async () => {
    const anna = await plane.call()
    const [near, far] = await plane.media.createPair(anna.leg)
    await plane.media.setRemote(near.leg, { type: 'answer', sdp: far.sdp })
    const bob = await plane.call({ near: far.leg })
    await plane.media.bridge(anna.leg, near.leg)
    await plane.media.bridge(far.leg, bob.leg)
    anna.phone.say(440)
    bob.phone.say(700)
    await expectDirect(anna, bob)
    await plane.media.play(far.leg, { tone: 'busy' })
    await anna.phone.hears(425)
  })
})

async function talk(annas: PhoneOptions = {}, bobs: PhoneOptions = {}): Promise<[Called, Called]> {
  const anna = await plane.call(annas)
  const bob = await plane.call({ ...bobs, near: anna.leg })
  await plane.media.bridge(anna.leg, bob.leg)
  anna.phone.say(440)
  bob.phone.say(700)
  return [anna, bob]
}

/** We call a phone, which answers. */
async function ring({ leg: near }: Called): Promise<Called> {
  const phone = await startPhone({ burstMax: RTPENGINE_BURST })
  onTestFinished(() => phone.close())
  const created = await plane.media.createLeg({ transport: 'rtp', near })
  if (!created.ok) throw new Error(created.why)
  phone.setRemote(created.sdp)
  await plane.media.setRemote(created.leg, { type: 'answer', sdp: phone.sdp() })
  return { phone, leg: created.leg, sdp: created.sdp }
}

/** How many packets it heard of each stream, the oldest first. */
function streamsOf({ phone }: Called): number[] {
  const packets = new Map<number, number>()
  for (const { packet } of phone.heard)
    packets.set(packet.header.ssrc, (packets.get(packet.header.ssrc) ?? 0) + 1)
  return [...packets.values()]
}

const expectDirect = (anna: Called, bob: Called) => hearDirectly(plane, anna, bob)
