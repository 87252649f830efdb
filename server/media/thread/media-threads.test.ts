import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, onTestFinished, test } from 'vitest'

import { toneShareInParts } from '../../../test/harness/sound/audio-analysis.ts'
import { mediaPortContract } from '../../../test/harness/sound/media-contract.ts'
import { openTwoMediaThreads } from '../../../test/harness/sound/media-plane.ts'
import { readChannels } from '../../../test/harness/sound/wav-analysis.ts'
import type { MediaPort } from '../port.ts'

async function open(options: { idleMs?: number } = {}) {
  const plane = await openTwoMediaThreads(options)
  onTestFinished(() => plane.close())
  return plane
}

/** While it receives some packets more itself. */
async function isSentNothing(media: MediaPort, leg: string): Promise<void> {
  const before = await media.statistics(leg)
  await expect
    .poll(async () => (await media.statistics(leg)).receivedPackets)
    .toBeGreaterThan(before.receivedPackets + 25)
  // What was on its way between the threads may still have come.
  expect((await media.statistics(leg)).sentPackets).toBeLessThan(before.sentPackets + 5)
}

const threadOf = (leg: string) => leg.split('-')[1]

describe('media on two threads', () => {
  mediaPortContract(openTwoMediaThreads)

  test('takes calls in turn, but a leg that is to be near another is on its thread', async () => {
    const { media, call } = await open()
    const [anna, bob] = [await call(), await call()]
    expect(threadOf(anna.leg)).not.toBe(threadOf(bob.leg))
    for (const { leg } of [anna, bob]) {
      const phone = await media.createLeg({ transport: 'rtp', near: leg })
      expect(phone.ok && threadOf(phone.leg)).toBe(threadOf(leg))
      for (const each of await media.createPair(leg)) expect(threadOf(each.leg)).toBe(threadOf(leg))
    }
  })

  test('a thread without legs ends, and the one that replaces it has other ids', async () => {
    const { media, call } = await open({ idleMs: 1 })
    const [anna, bob] = [await call(), await call()]
    await media.close(bob.leg)
    const newThread = async () => {
      const pair = await media.createPair()
      for (const { leg } of pair) await media.close(leg)
      return threadOf(pair[0].leg)
    }
    await expect.poll(newThread).not.toSatisfy((id) => [anna, bob].some(({ leg }) => threadOf(leg) === id))
    await expect(media.statistics(bob.leg)).rejects.toThrow('is gone')
    anna.phone.say(440)
    await expect.poll(async () => (await media.statistics(anna.leg)).receivedPackets).toBeGreaterThan(0)
  })

  test('passes digits between bridged legs of both, and reports only those legs', async () => {
    const { media, call, events, event } = await open()
    const [anna, bob] = [await call(), await call()]
    await media.bridge(anna.leg, bob.leg)
    anna.phone.say(440)
    bob.phone.say(700)
    await Promise.all([anna.phone.hears(700), bob.phone.hears(440)])
    anna.phone.press('5')
    await event('digit', ({ leg, digit }) => leg === anna.leg && digit === '5')
    await bob.phone.until('the digit', () =>
      bob.phone.heard.some(({ packet }) => packet.header.payloadType === 101 && packet.payload[0] === 5),
    )
    for (const { leg } of [anna, bob]) await media.close(leg)
    const about = new Set(events.map(({ leg }) => leg))
    expect(about).toEqual(new Set([anna.leg, bob.leg]))
  })

  test('a leg that leaves its bridge for another is no longer heard on the other thread', async () => {
    const { media, call } = await open()
    const [anna, bob, carl] = [await call(), await call(), await call()]
    expect(threadOf(anna.leg)).toBe(threadOf(carl.leg))
    anna.phone.say(440)
    bob.phone.say(700)
    carl.phone.say(1_100)
    await media.bridge(anna.leg, bob.leg)
    await bob.phone.hears(440)
    await media.bridge(anna.leg, carl.leg)
    await Promise.all([anna.phone.hears(1_100), carl.phone.hears(440)])
    await isSentNothing(media, bob.leg)
    await media.bridge(bob.leg, carl.leg)
    await Promise.all([bob.phone.hears(1_100), carl.phone.hears(700)])
    await isSentNothing(media, anna.leg)
    await media.separate(carl.leg)
    await isSentNothing(media, bob.leg)
  })

  test('records both sides of a bridge between them', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bellhop-media-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const { media, call, event } = await open()
    const [anna, bob] = [await call(), await call()]
    anna.phone.say(440)
    bob.phone.say(700)
    await media.bridge(anna.leg, bob.leg)
    await Promise.all([anna.phone.hears(700), bob.phone.hears(440)])
    const file = join(folder, 'both.wav')
    const task = await media.record(bob.leg, { file, channels: 2, maxMs: 1_500 })
    await event('recording.ended', (ended) => ended.task === task)
    const [left, right] = readChannels(await readFile(file)).channels
    expect(toneShareInParts(left!, 700)).toBeGreaterThan(0.3)
    expect(toneShareInParts(right!, 440)).toBeGreaterThan(0.3)
  })
})
