import { randomBytes } from 'node:crypto'

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { loudness, toneShare } from '../../../test/harness/sound/audio-analysis.ts'
import { type MediaPlane, openMediaPlane } from '../../../test/harness/sound/media-plane.ts'
import { type PhoneOptions, startPhone } from '../../../test/harness/sound/rtp-phone.ts'

let plane: MediaPlane
beforeEach(() => {
  plane = openMediaPlane()
})
afterEach(() => plane.close())

describe('a bridge', () => {
  test.each<[string, PhoneOptions, PhoneOptions]>([
    ['RTP and RTP', {}, {}],
    ['A-law and mu-law', {}, { codec: 'pcmu' }],
    ['RTP and SRTP', {}, { encrypted: true }],
    ['SRTP and SRTP', { encrypted: true }, { encrypted: true, codec: 'pcmu' }],
    ['packets of 10 and of 30 ms', { ptimeMs: 10 }, { ptimeMs: 30 }],
    ['Opus and Opus', { codec: 'opus' }, { codec: 'opus', encrypted: true }],
    ['Opus and A-law', { codec: 'opus' }, {}],
    ['mu-law and Opus over SRTP', { codec: 'pcmu' }, { codec: 'opus', encrypted: true }],
    ['Opus of 40 ms and A-law of 30 ms', { codec: 'opus', ptimeMs: 40 }, { ptimeMs: 30 }],
  ])('carries a tone each way between %s, before and after hold', async (_, one, other) => {
    const [anna, bob] = [await plane.call(one), await plane.call(other)]
    await plane.media.bridge(anna.leg, bob.leg)
    anna.phone.say(440)
    bob.phone.say(700)
    await Promise.all([anna.phone.hears(700), bob.phone.hears(440)])

    // Bob puts Anna on hold: he no longer hears her, and she hears what is played to her.
    const held = await plane.media.setRemote(bob.leg, { type: 'offer', sdp: bob.phone.sdp('inactive') })
    expect(held).toMatchObject({ ok: true, direction: 'inactive' })
    const { sentPackets } = await plane.media.statistics(bob.leg)
    await plane.media.play(anna.leg, { tone: 'ringbackNorthAmerica' })
    await anna.phone.until('ringback', () => {
      const sound = anna.phone.last(400)
      return sound && toneShare(sound, 440) > 0.4 && toneShare(sound, 480) > 0.4
    })
    expect(await plane.media.statistics(bob.leg)).toMatchObject({ sentPackets })

    const resumed = await plane.media.setRemote(bob.leg, { type: 'offer', sdp: bob.phone.sdp() })
    expect(resumed).toMatchObject({ ok: true, direction: 'sendrecv' })
    await plane.media.play(anna.leg, { tone: 'beep' })
    await Promise.all([anna.phone.hears(700), bob.phone.hears(440)])
  })

  test('relays packets with only their numbers changed, as one stream whoever speaks', async () => {
    const [anna, bob] = [await plane.call(), await plane.call()]
    await plane.media.play(bob.leg, { tone: 'beep' })
    await bob.phone.hears(1_000)
    await plane.event('play.ended')
    await plane.media.bridge(anna.leg, bob.leg)
    anna.phone.say(440)
    await bob.phone.hears(440)
    const headers = bob.phone.heard.map(({ packet }) => packet.header)
    expect(new Set(headers.map(({ ssrc }) => ssrc)).size).toBe(1)
    expect(headers[0]!.ssrc).not.toBe(anna.phone.header.ssrc)
    headers.slice(1).forEach((header, i) => {
      expect((header.sequenceNumber - headers[i]!.sequenceNumber) & 0xffff).toBe(1)
      const step = (header.timestamp - headers[i]!.timestamp) >>> 0
      expect(step).toBeGreaterThanOrEqual(160)
      expect(step).toBeLessThan(8_000 * 20)
    })
    // The marker bit is set where a source begins, and nowhere else.
    expect(headers.filter(({ marker }) => marker).length).toBe(2)
  })

  test('relays DTMF digits as telephone events, and reports each', async () => {
    const [anna, bob] = [await plane.call(), await plane.call()]
    await plane.media.bridge(anna.leg, bob.leg)
    anna.phone.say(440)
    await bob.phone.hears(440)
    anna.phone.press('42#')
    const keys = await bob.phone.until('nine events', () => {
      const events = bob.phone.heard.filter(({ packet }) => packet.header.payloadType === 101)
      return events.length >= 9 && events.map(({ packet }) => packet.payload[0])
    })
    expect(keys).toEqual([4, 4, 4, 2, 2, 2, 11, 11, 11])
    expect(plane.events.flatMap((event) => (event.on === 'digit' ? [event.digit] : []))).toEqual([
      '4',
      '2',
      '#',
    ])
  })

  test('plays DTMF tones to a phone without telephone events', async () => {
    const [anna, bob] = [await plane.call(), await plane.call({ events: false })]
    await plane.media.bridge(anna.leg, bob.leg)
    anna.phone.press('5')
    await bob.phone.until('the key', () => {
      const sound = bob.phone.last(80)
      return sound && toneShare(sound, 770) > 0.4 && toneShare(sound, 1_336) > 0.4
    })
  })

  test('continues despite invalid packets of every kind', async () => {
    const [anna, bob] = [await plane.call(), await plane.call({ encrypted: true })]
    await plane.media.bridge(anna.leg, bob.leg)
    anna.phone.say(440)
    bob.phone.say(700)
    await Promise.all([anna.phone.hears(700), bob.phone.hears(440)])
    for (const [phone, first] of [anna.phone, bob.phone].flatMap((phone) =>
      [0x00, 0x16, 0x80, 0x90, 0xb0, 0xbf, 0xff].map((first) => [phone, first] as const),
    )) {
      for (let length = 0; length < 60; length++) {
        const noise = randomBytes(length)
        if (length > 0) noise[0] = first
        phone.sendNoise(noise)
        if (length > 1) noise[1] = 200 + (length % 8)
        phone.sendNoise(noise)
      }
    }
    await Promise.all([anna.phone.hears(700), bob.phone.hears(440)])
  })

  test('sends nothing to an unknown sender, and ignores its packets', async () => {
    const [anna, bob] = [await plane.call(), await plane.call()]
    await plane.media.bridge(anna.leg, bob.leg)
    anna.phone.say(440)
    bob.phone.say(700)
    await Promise.all([anna.phone.hears(700), bob.phone.hears(440)])
    const attacker = await startPhone()
    try {
      attacker.setRemote(anna.sdp)
      const first = attacker.header.sequenceNumber
      attacker.say(1_500)
      await bob.phone.until(
        'the packets of the attacker',
        () => ((attacker.header.sequenceNumber - first) & 0xffff) > 20,
      )
      expect(toneShare(await bob.phone.hears(440), 1_500)).toBeLessThan(0.01)
      expect(attacker.heard).toEqual([])
    } finally {
      attacker.close()
    }
  })

  test('follows a phone that continues at another address', async () => {
    const [anna, bob, moved] = [await plane.call(), await plane.call(), await startPhone()]
    try {
      await plane.media.bridge(anna.leg, bob.leg)
      anna.phone.say(440)
      bob.phone.say(700)
      await Promise.all([anna.phone.hears(700), bob.phone.hears(440)])
      await plane.media.setRemote(anna.leg, { type: 'offer', sdp: moved.sdp() })
      moved.setRemote(anna.sdp)
      moved.say(1_100)
      await Promise.all([moved.hears(700), bob.phone.hears(1_100)])
    } finally {
      moved.close()
    }
  })

  test('ends when one side hangs up, with statistics', async () => {
    const [anna, bob] = [await plane.call(), await plane.call()]
    await plane.media.bridge(anna.leg, bob.leg)
    anna.phone.say(440)
    await bob.phone.hears(440)
    anna.phone.header.sequenceNumber = (anna.phone.header.sequenceNumber + 5) & 0xffff
    await bob.phone.hears(440)
    await plane.media.close(anna.leg)
    const { statistics } = await plane.event('leg.closed')
    expect(statistics).toMatchObject({ lostPackets: 5, sentPackets: 0, refusedPackets: 0 })
    expect(statistics.receivedPackets).toBeGreaterThan(20)
    await expect(plane.media.bridge(anna.leg, bob.leg)).rejects.toMatchObject({ why: 'leg_gone' })
    await plane.media.close(anna.leg)
  })
})

test('a pair connects two calls without a port: a tone and DTMF digits go through, whatever the codecs', async () => {
  const [anna, bob] = [await plane.call(), await plane.call({ codec: 'pcmu' })]
  const [near, far] = await plane.media.createPair()
  expect(await plane.media.setRemote(near.leg, { type: 'answer', sdp: far.sdp })).toMatchObject({ ok: true })
  await plane.media.bridge(anna.leg, near.leg)
  await plane.media.bridge(far.leg, bob.leg)
  anna.phone.say(440)
  bob.phone.say(700)
  await Promise.all([anna.phone.hears(700), bob.phone.hears(440)])
  anna.phone.press('5')
  expect(await plane.event('digit', ({ leg }) => leg === far.leg)).toMatchObject({ digit: '5' })
  expect((await plane.media.statistics(far.leg)).receivedPackets).toBeGreaterThan(20)
  await plane.media.close(far.leg)
  anna.phone.say(440)
  await plane.media.close(near.leg)
  await plane.event('leg.closed', ({ leg }) => leg === near.leg)
})

test('in a mix of three, each hears both of the others and not themselves; after one leaves, two remain', async () => {
  const tones = [440, 700, 1_100]
  const parties = [
    await plane.call(),
    await plane.call({ codec: 'pcmu' }),
    await plane.call({ encrypted: true }),
  ]
  await plane.media.mix(parties.map(({ leg }) => leg))
  parties.forEach(({ phone }, i) => phone.say(tones[i]!))
  await Promise.all(
    parties.map(({ phone }, i) => {
      const [a, b] = tones.filter((_, other) => other !== i)
      return phone.until(`${a} and ${b} Hz`, () => {
        const sound = phone.last(400)
        if (!sound || loudness(sound) < 500) return false
        return toneShare(sound, a!) > 0.4 && toneShare(sound, b!) > 0.4 && toneShare(sound, tones[i]!) < 0.01
      })
    }),
  )
  await plane.media.close(parties[0]!.leg)
  await Promise.all([parties[1]!.phone.hears(1_100), parties[2]!.phone.hears(700)])
})

test('an offer of ours is answered by a phone, held and resumed by us, and early answers may change', async () => {
  const [anna, bob] = [await plane.call(), await startPhone({ codec: 'pcmu', encrypted: true })]
  try {
    const created = await plane.media.createLeg({ transport: 'sdes' })
    if (!created.ok) throw new Error(created.why)
    const answer = () => ({ type: 'answer', sdp: bob.sdp() }) as const
    bob.setRemote(created.sdp)
    expect(await plane.media.setRemote(created.leg, answer())).toMatchObject({ direction: 'sendrecv' })
    expect(await plane.media.setRemote(created.leg, answer())).toMatchObject({ direction: 'sendrecv' })
    await plane.media.bridge(anna.leg, created.leg)
    anna.phone.say(440)
    bob.say(700)
    await Promise.all([anna.phone.hears(700), bob.hears(440)])

    const hold = await plane.media.hold(created.leg, 'sendonly')
    expect(hold).toContain('\r\na=sendonly\r\n')
    // If the other side refuses it, nothing changes.
    await anna.phone.hears(700)
    await plane.media.hold(created.leg, 'sendonly')
    const held = await plane.media.setRemote(created.leg, { type: 'answer', sdp: bob.sdp('recvonly') })
    expect(held).toEqual({ ok: true, direction: 'sendonly' })
    await bob.hears(440)
    // He keeps sending, as phones do, but is not heard. What he said before may still be on its way to her.
    bob.say(1_100)
    await bob.hears(440)
    expect(anna.phone.heard.filter(({ samples }) => toneShare(samples, 1_100) > 0.5)).toEqual([])

    await plane.media.hold(created.leg, 'sendrecv')
    expect(await plane.media.setRemote(created.leg, answer())).toMatchObject({ direction: 'sendrecv' })
    await Promise.all([anna.phone.hears(1_100), bob.hears(440)])
  } finally {
    bob.close()
  }
})

test('an unusable session description is refused with a reason, and takes no port', async () => {
  for (const [offer, why] of [
    ['hello', 'malformed'],
    ['v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nm=audio 9 RTP/AVP 18\r\n', 'no_codec'],
  ]) {
    expect(await plane.media.createLeg({ offer: offer! })).toEqual({ ok: false, why })
  }
  const { leg } = await plane.call()
  expect(await plane.media.setRemote(leg, { type: 'offer', sdp: 'v=0' })).toEqual({
    ok: false,
    why: 'malformed',
  })
})
