import { afterEach, expect, test } from 'vitest'

import { openRtpenginePlane } from '../harness/sound/media-plane.ts'
import { isAtRtpengine, startRtpengine } from '../harness/sound/rtpengine.ts'
import { openWebrtcPhone } from '../harness/sound/webrtc-phone.ts'

type Plane = Awaited<ReturnType<typeof openRtpenginePlane>>

let plane: Plane
afterEach(() => plane.close())

test(
  'a browser and a phone hear each other past this process, and through it',
  { timeout: 120_000 },
  async () => {
    plane = await openRtpenginePlane([await startRtpengine()])
    const bob = await plane.call()
    const anna = await openWebrtcPhone(plane)
    const leg = await anna.call({ near: bob.leg, isNarrowband: true })
    await plane.media.bridge(leg, bob.leg)
    const packets = async () => (await plane.embedded.statistics(leg)).receivedPackets
    const packetsMeanwhile = async () => {
      const before = await packets()
      await Promise.all([bob.phone.hears(440), anna.hears(700)])
      return (await packets()) - before
    }
    const expectDirect = () => expect.poll(packetsMeanwhile, { timeout: 30_000 }).toBe(0)
    await anna.say(440)
    bob.phone.say(700)
    await Promise.all([bob.phone.hears(440), anna.hears(700)])
    await expectDirect()

    // Its digits reach this process while they are collected.
    await plane.media.collectDigits(leg, { count: 2, firstDigitMs: 60_000, nextDigitMs: 60_000 })
    await anna.press('47')
    expect(await plane.event('digits.collected')).toMatchObject({ digits: '47', why: 'count' })
    await Promise.all([bob.phone.hears(440), anna.hears(700)])

    await anna.hold(leg, 'sendonly')
    await plane.media.play(bob.leg, { tone: 'busy' })
    await bob.phone.hears(425)
    await anna.hold(leg, 'sendrecv')
    await plane.media.play(bob.leg, { tone: 'beep' })
    await Promise.all([bob.phone.hears(440), anna.hears(700)])
    await anna.restart(leg)
    await Promise.all([bob.phone.hears(440), anna.hears(700)])
    await expectDirect()
  },
)

test('a browser whose instance is gone is heard again through another', { timeout: 120_000 }, async () => {
  const rtpengines = [await startRtpengine(), await startRtpengine()]
  plane = await openRtpenginePlane(rtpengines)
  const bob = await plane.call()
  const anna = await openWebrtcPhone(plane)
  const leg = await anna.call({ near: bob.leg, isNarrowband: true })
  await plane.media.bridge(leg, bob.leg)
  await anna.say(440)
  bob.phone.say(700)
  await Promise.all([bob.phone.hears(440), anna.hears(700)])
  await rtpengines.find((each) => isAtRtpengine(each, bob.sdp))!.kill()
  await Promise.all([
    moves(leg, async (offer) => anna.answer(offer)),
    moves(bob.leg, async (offer) => {
      bob.phone.setRemote(offer)
      return bob.phone.sdp()
    }),
  ])
  await bob.phone.hears(440)
  // What the browser analyses may be a moment old.
  for (let i = 0; i < 2; i++) await Promise.all([bob.phone.hears(440), anna.hears(700)])
})

/** As signalling does it for a leg that is quiet. */
async function moves(leg: string, answer: (offer: string) => Promise<string>): Promise<void> {
  await plane.event('leg.quiet', (event) => event.leg === leg)
  const sdp = await answer(await plane.media.hold(leg, 'sendrecv'))
  expect(await plane.media.setRemote(leg, { type: 'answer', sdp })).toMatchObject({ ok: true })
}
