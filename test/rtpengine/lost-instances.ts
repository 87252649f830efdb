import { afterEach, describe, expect, test } from 'vitest'

import { openRtpenginePlane } from '../harness/sound/media-plane.ts'
import { isAtRtpengine, startRtpengine } from '../harness/sound/rtpengine.ts'
import { hearDirectly } from './hear-directly.ts'

type Plane = Awaited<ReturnType<typeof openRtpenginePlane>>
type Called = Awaited<ReturnType<Plane['call']>>

let plane: Plane
afterEach(() => plane.close())

describe('an instance of rtpengine', () => {
  test('that is gone is left out, and its calls move to another by re-INVITE', async () => {
    const [first, second] = [await startRtpengine(), await startRtpengine()]
    plane = await openRtpenginePlane([first, second])
    const [anna, bob] = await talk()
    const gone = isAtRtpengine(first, anna.sdp) ? first : second
    await gone.kill()
    await move(anna, bob)
    const other = gone === first ? second : first
    for (let i = 0; i < 3; i++) expect(isAtRtpengine(other, (await plane.call()).sdp)).toBe(true)
  })

  test('that was started anew has its calls again', async () => {
    const first = await startRtpengine()
    plane = await openRtpenginePlane([first])
    const [anna, bob] = await talk()
    await first.kill()
    const again = await startRtpengine({ port: first.port })
    await move(anna, bob)
    expect(isAtRtpengine(again, await plane.media.reoffer(anna.leg))).toBe(true)
  })

  test('that was paused for some seconds keeps its calls', async () => {
    const only = await startRtpengine()
    plane = await openRtpenginePlane([only])
    const [anna, bob] = await talk()
    only.stop()
    try {
      await expect(plane.call()).rejects.toMatchObject({ name: 'MediaFailed', why: 'no_ports' })
    } finally {
      only.resume()
    }
    await expect.poll(isCalled, { timeout: 20_000 }).toBe(true)
    // Twice, because the first may be what had to wait.
    for (let i = 0; i < 2; i++) await Promise.all([anna.phone.hears(700), bob.phone.hears(440)])
    expect(plane.events.filter(({ on }) => on === 'leg.quiet')).toEqual([])
    expect(await plane.media.portUsage()).toMatchObject({ inUse: 6 })
  })

  test('that was paused for so long that it stays deaf has its calls again', async () => {
    const only = await startRtpengine()
    plane = await openRtpenginePlane([only])
    const [anna, bob] = await talk()
    only.stop()
    try {
      for (let i = 0; i < 3; i++) await expect(plane.call()).rejects.toMatchObject({ why: 'no_ports' })
    } finally {
      only.resume()
    }
    await move(anna, bob)
  })

  test('that is silent, as when its machine is gone, is left out, and its calls move to another', async () => {
    const [first, second] = [await startRtpengine(), await startRtpengine()]
    plane = await openRtpenginePlane([first, second])
    const [anna, bob] = await talk()
    const [silent, other] = isAtRtpengine(first, anna.sdp) ? [first, second] : [second, first]
    silent.stop()
    await move(anna, bob)
    expect(isAtRtpengine(other, (await plane.call()).sdp)).toBe(true)
  })
})

const isCalled = () =>
  plane.call().then(
    () => true,
    () => false,
  )

async function talk(): Promise<[Called, Called]> {
  const anna = await plane.call()
  const bob = await plane.call({ near: anna.leg, encrypted: true })
  await plane.media.bridge(anna.leg, bob.leg)
  anna.phone.say(440)
  bob.phone.say(700)
  await hearDirectly(plane, anna, bob)
  return [anna, bob]
}

/** As signalling does it for a leg that is quiet. */
async function move(...legs: [Called, Called]): Promise<void> {
  await Promise.all(
    legs.map(async ({ leg, phone }) => {
      await plane.event('leg.quiet', (event) => event.leg === leg)
      phone.setRemote(await plane.media.hold(leg, 'sendrecv'))
      expect(await plane.media.setRemote(leg, { type: 'answer', sdp: phone.sdp() })).toMatchObject({
        ok: true,
      })
    }),
  )
  await Promise.all([legs[0].phone.hears(700), legs[1].phone.hears(440)])
}
