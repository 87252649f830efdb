import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { sine } from '../../../test/harness/sound/audio-analysis.ts'
import { type MediaPlane, openMediaPlane } from '../../../test/harness/sound/media-plane.ts'
import { openWebrtcPhone } from '../../../test/harness/sound/webrtc-phone.ts'
import { wavHeader } from '../audio/wav-writer.ts'

let plane: MediaPlane
beforeEach(() => {
  plane = openMediaPlane({ otherFamily: { host: '::1' } })
})
afterEach(() => plane.close())

describe('a browser', () => {
  test.each([
    ['with Opus', true],
    ['with G.711', false],
  ])('%s and a phone hear each other, before and after hold', async (_, opus) => {
    const [anna, bob] = [await openWebrtcPhone(plane), await plane.call()]
    const leg = await anna.call({ opus })
    await plane.media.bridge(leg, bob.leg)
    await anna.say(440)
    bob.phone.say(700)
    await Promise.all([bob.phone.hears(440), anna.hears(700)])

    await anna.hold(leg, 'sendonly')
    await plane.media.play(bob.leg, { tone: 'busy' })
    await bob.phone.hears(425)
    await anna.hold(leg, 'sendrecv')
    await plane.media.play(bob.leg, { tone: 'beep' })
    await Promise.all([bob.phone.hears(440), anna.hears(700)])

    const figures = await plane.media.statistics(leg)
    expect(figures).toMatchObject({ lostPackets: 0, refusedPackets: 0 })
    expect(figures.opusDecodedFrames > 0).toBe(opus)
  })

  test.each([
    ['sends no more than telephone audio, if that is asked for', true],
    ['sends more otherwise', false],
  ])('%s', async (_, isNarrowband) => {
    const [anna, bob] = [await openWebrtcPhone(plane), await plane.call({ codec: 'opus' })]
    await plane.media.bridge(await anna.call({ isNarrowband }), bob.leg)
    await anna.say(440)
    await bob.phone.hears(440)
    expect(bob.phone.heard.every(({ packet }) => isNarrowbandOpus(packet.payload))).toBe(isNarrowband)
  })

  test(
    'and another hear each other without transcoding, and an encrypted phone with it',
    { timeout: 120_000 },
    async () => {
      const [anna, carl, bob] = [
        await openWebrtcPhone(plane),
        await openWebrtcPhone(plane),
        await plane.call({ encrypted: true, codec: 'pcmu' }),
      ]
      const [annas, carls] = [await anna.call(), await carl.call()]
      await plane.media.bridge(annas, carls)
      await Promise.all([anna.say(440), carl.say(1_100)])
      bob.phone.say(700)
      await Promise.all([anna.hears(1_100), carl.hears(440)])
      expect(await plane.media.statistics(annas)).toMatchObject({
        opusDecodedFrames: 0,
        opusEncodedFrames: 0,
      })
      // No telephone line could carry it.
      await carl.say(6_000)
      await anna.hears(6_000)
      await plane.media.bridge(annas, bob.leg)
      await Promise.all([anna.hears(700), bob.phone.hears(440)])
    },
  )

  test('that can use only our candidate of IPv6 is heard and hears', async () => {
    const [anna, bob] = [await openWebrtcPhone(plane), await plane.call()]
    const created = await plane.media.createLeg({ transport: 'webrtc', opus: true })
    if (!created.ok) throw new Error(created.why)
    const over6 = created.sdp.replace(/^a=candidate:.* 127\.0\.0\.1 .*\r\n/m, '')
    expect(over6).toMatch(/^a=candidate:.* ::1 /m)
    await plane.media.setRemote(created.leg, { type: 'answer', sdp: await anna.answer(over6) })
    await plane.media.bridge(created.leg, bob.leg)
    await anna.say(440)
    bob.phone.say(700)
    await Promise.all([bob.phone.hears(440), anna.hears(700)])
  })

  test('answers our offer, sends DTMF digits, and sends RTCP reports', async () => {
    const anna = await openWebrtcPhone(plane)
    const created = await plane.media.createLeg({ transport: 'webrtc', opus: true })
    if (!created.ok) throw new Error(created.why)
    const { leg } = created
    expect(await plane.media.setRemote(leg, { type: 'answer', sdp: await anna.answer(created.sdp) })).toEqual(
      {
        ok: true,
        direction: 'sendrecv',
      },
    )
    await plane.event('leg.connected', (event) => event.leg === leg)
    await plane.media.collectDigits(leg, { count: 3, firstDigitMs: 60_000, nextDigitMs: 60_000 })
    await plane.media.play(leg, { tone: 'ringback' })
    await anna.hears(425)
    await anna.press('47#')
    expect(await plane.event('digits.collected')).toMatchObject({ digits: '47#', why: 'count' })
    // On hold it hears nothing, and afterwards again.
    for (const direction of ['inactive', 'sendrecv'] as const) {
      const sdp = await anna.answer(await plane.media.hold(leg, direction))
      expect(await plane.media.setRemote(leg, { type: 'answer', sdp })).toEqual({ ok: true, direction })
    }
    await plane.media.play(leg, { wav: wavOf(sine(800, 15)) })
    await anna.hears(800)
    // Its report on our stream takes some seconds, because one of ours must come first.
    await expect
      .poll(async () => (await plane.media.statistics(leg)).roundTripMs, { timeout: 60_000 })
      .toBeLessThan(2_000)
  })

  test('moves on when it restarts ICE', async () => {
    const [anna, bob] = [await openWebrtcPhone(plane), await plane.call()]
    const leg = await anna.call()
    await plane.media.bridge(leg, bob.leg)
    await anna.say(440)
    await bob.phone.hears(440)
    const before = await anna.credentials()
    await anna.restart(leg)
    expect(await anna.credentials()).not.toBe(before)
    bob.phone.say(700)
    await Promise.all([bob.phone.hears(440), anna.hears(700)])
  })

  test(
    'whose certificate does not match its fingerprint is not connected',
    { timeout: 120_000 },
    async () => {
      const [anna, other] = [await openWebrtcPhone(plane), await openWebrtcPhone(plane)]
      const stolen = /^a=fingerprint:.*$/m.exec(await other.offer())![0]
      const created = await plane.media.createLeg({
        offer: (await anna.offer()).replace(/^a=fingerprint:.*$/m, stolen),
      })
      if (!created.ok) throw new Error(created.why)
      await anna.accept(created.sdp)
      expect(await plane.event('leg.lost')).toMatchObject({ leg: created.leg, why: 'dtls_failed' })
      expect(plane.events.filter(({ on }) => on === 'leg.connected')).toEqual([])
    },
  )
})

function wavOf(samples: Int16Array): Buffer {
  const sound = Buffer.from(samples.buffer)
  return Buffer.concat([wavHeader(1, sound.length), sound])
}

/** RFC 6716 §3.1: the configurations of SILK and of CELT for narrowband. */
function isNarrowbandOpus(payload: Buffer): boolean {
  const config = payload[0]! >> 3
  return config < 4 || (config >= 16 && config < 20)
}
