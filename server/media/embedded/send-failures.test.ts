import { Socket } from 'node:dgram'

import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { type MediaPlane, openMediaPlane } from '../../../test/harness/sound/media-plane.ts'

let plane: MediaPlane
beforeEach(() => {
  plane = openMediaPlane()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await plane.close()
})

type Caller = Awaited<ReturnType<MediaPlane['call']>>

/** RFC 5761 §4: RTP and RTCP share a port, and differ in the second byte. */
const isRtcp = (packet: unknown) => packet instanceof Uint8Array && packet[1]! >= 192 && packet[1]! <= 223

/** Where a packet goes to. A socket may be connected. */
const portOf = (socket: Socket, [, port]: unknown[]) => port ?? socket.remoteAddress().port

/** From now on, every send of audio or of reports to the phone throws. Returns how many did. */
function breakTheWayTo({ phone }: Caller, what: 'audio' | 'reports' = 'audio'): () => number {
  const port = Number(/^m=audio (\d+)/m.exec(phone.sdp())![1])
  const send = Socket.prototype.send
  let broken = 0
  vi.spyOn(Socket.prototype, 'send').mockImplementation(function (this: Socket, ...args: unknown[]) {
    if (portOf(this, args) === port && isRtcp(args[0]) === (what === 'reports')) {
      broken++
      throw new Error('the test breaks this way')
    }
    return Reflect.apply(send, this, args) as void
  })
  return () => broken
}

async function hearsThePlane({ phone, leg }: Caller): Promise<void> {
  await plane.media.play(leg, { tone: 'ringback' })
  await phone.hears(425)
}

test('a leg of a mix whose send path fails is ended, and all other legs continue', async () => {
  const [anna, bob, carla, other] = [
    await plane.call(),
    await plane.call(),
    await plane.call(),
    await plane.call(),
  ]
  await plane.media.mix([anna.leg, bob.leg, carla.leg])
  anna.phone.say(440)
  await Promise.all([bob.phone.hears(440), carla.phone.hears(440)])
  breakTheWayTo(bob)
  await plane.event('leg.closed', ({ leg }) => leg === bob.leg)
  anna.phone.say(700)
  await carla.phone.hears(700)
  await hearsThePlane(other)
})

test('a leg whose send path fails during playback is ended, and the others continue', async () => {
  const [anna, other] = [await plane.call(), await plane.call()]
  await plane.media.play(anna.leg, { tone: 'ringback' })
  breakTheWayTo(anna)
  await plane.event('leg.closed', ({ leg }) => leg === anna.leg)
  await hearsThePlane(other)
})

test('a report that cannot be sent ends no call', async () => {
  const anna = await plane.call()
  const broken = breakTheWayTo(anna, 'reports')
  await expect.poll(broken, { timeout: 30_000 }).toBeGreaterThan(0)
  await hearsThePlane(anna)
})

test('a packet that cannot be relayed to one leg does not affect the others', async () => {
  const [anna, bob, other] = [await plane.call(), await plane.call(), await plane.call()]
  await plane.media.bridge(anna.leg, bob.leg)
  anna.phone.say(440)
  await bob.phone.hears(440)
  breakTheWayTo(bob)
  bob.phone.say(700)
  await anna.phone.hears(700)
  await hearsThePlane(other)
})

test('a listener that throws does not affect other listeners, and ends no leg', async () => {
  plane.media.listen(() => {
    throw new Error('the test listens badly')
  })
  const heard: string[] = []
  plane.media.listen((event) => heard.push(event.on))
  const anna = await plane.call()
  anna.phone.say(440)
  await plane.event('leg.connected')
  await hearsThePlane(anna)
  await plane.media.close(anna.leg)
  expect(heard).toEqual(expect.arrayContaining(['leg.connected', 'play.ended', 'leg.closed']))
})
