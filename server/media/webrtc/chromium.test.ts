import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { openPage } from '../../../test/harness/browser/browser.ts'
import { sine } from '../../../test/harness/sound/audio-analysis.ts'
import { type MediaPlane, openMediaPlane } from '../../../test/harness/sound/media-plane.ts'
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
  ])('%s and a phone hear each other, before and after hold', { timeout: 120_000 }, async (_, opus) => {
    const [anna, bob] = [await openSoftphone(), await plane.call()]
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
  ])('%s', { timeout: 120_000 }, async (_, isNarrowband) => {
    const [anna, bob] = [await openSoftphone(), await plane.call({ codec: 'opus' })]
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
        await openSoftphone(),
        await openSoftphone(),
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

  test('that can use only our candidate of IPv6 is heard and hears', { timeout: 120_000 }, async () => {
    const [anna, bob] = [await openSoftphone(), await plane.call()]
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

  test('answers our offer, sends DTMF digits, and sends RTCP reports', { timeout: 120_000 }, async () => {
    const anna = await openSoftphone()
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

  test('moves on when it restarts ICE', { timeout: 120_000 }, async () => {
    const [anna, bob] = [await openSoftphone(), await plane.call()]
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
      const [anna, other] = [await openSoftphone(), await openSoftphone()]
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

/** A page with a minimal softphone, whose microphone is an oscillator. */
async function openSoftphone() {
  const page: Page = await openPage()
  await page.evaluate(installSoftphone)
  const run = <T>(code: string): Promise<T> => page.evaluate(code)
  return {
    offer: () => run<string>('phone.offer()'),
    accept: (sdp: string) => run<void>(`phone.accept(${quoted(sdp)})`),
    answer: (sdp: string) => run<string>(`phone.answer(${quoted(sdp)})`),
    async call({ opus = true, isNarrowband = false } = {}): Promise<string> {
      const offer = await run<string>('phone.offer()')
      const created = await plane.media.createLeg({ offer, opus, isNarrowband })
      if (!created.ok) throw new Error(created.why)
      await run(`phone.accept(${quoted(created.sdp)})`)
      await plane.event('leg.connected', ({ leg }) => leg === created.leg)
      return created.leg
    },
    async hold(leg: string, direction: string): Promise<void> {
      const sdp = await run<string>(`phone.offer({ direction: '${direction}' })`)
      const set = await plane.media.setRemote(leg, { type: 'offer', sdp })
      if (!set.ok) throw new Error(set.why)
      await run(`phone.accept(${quoted(set.sdp!)})`)
    },
    async restart(leg: string): Promise<void> {
      const sdp = await run<string>('phone.offer({ iceRestart: true })')
      const set = await plane.media.setRemote(leg, { type: 'offer', sdp })
      if (!set.ok) throw new Error(set.why)
      await run(`phone.accept(${quoted(set.sdp!)})`)
    },
    credentials: () => run<string>('/a=ice-ufrag:.*/.exec(phone.pc.remoteDescription.sdp)[0]'),
    say: (hz: number) => run<void>(`phone.say(${hz})`),
    press: (keys: string) => run<void>(`phone.press('${keys}')`),
    hears: (hz: number) => run<void>(`phone.hears(${hz})`),
  }
}

/** Runs in the page. */
const installSoftphone = `(async () => {
  const audio = new AudioContext()
  await audio.resume()
  const oscillator = new OscillatorNode(audio, { frequency: 300 })
  const volume = new GainNode(audio, { gain: 0 })
  const microphone = new MediaStreamAudioDestinationNode(audio)
  oscillator.connect(volume).connect(microphone)
  oscillator.start()
  const ear = new AnalyserNode(audio, { fftSize: 8192, smoothingTimeConstant: 0 })
  let source
  const pc = new RTCPeerConnection()
  const sender = pc.addTrack(microphone.stream.getAudioTracks()[0], microphone.stream)
  pc.ontrack = ({ streams: [stream] }) => {
    // Chromium lets nothing through to Web Audio that is not also played.
    const speaker = new Audio()
    speaker.muted = true
    speaker.srcObject = stream
    globalThis.speaker = speaker
    // A resumed track is reported again: the same audio twice, slightly shifted, may cancel itself out.
    source?.disconnect()
    source = new MediaStreamAudioSourceNode(audio, { mediaStream: stream })
    source.connect(ear)
  }
  const gathered = () =>
    pc.iceGatheringState === 'complete'
      ? undefined
      : new Promise((resume) => pc.addEventListener('icegatheringstatechange', () => pc.iceGatheringState === 'complete' && resume()))
  globalThis.phone = {
    pc,
    async offer({ direction, iceRestart } = {}) {
      if (direction) pc.getTransceivers()[0].direction = direction
      await pc.setLocalDescription(await pc.createOffer({ iceRestart }))
      await gathered()
      return pc.localDescription.sdp
    },
    accept: (sdp) => pc.setRemoteDescription({ type: 'answer', sdp }),
    async answer(sdp) {
      await pc.setRemoteDescription({ type: 'offer', sdp })
      await pc.setLocalDescription(await pc.createAnswer())
      await gathered()
      return pc.localDescription.sdp
    },
    say(hz) {
      oscillator.frequency.value = hz
      volume.gain.value = 0.5
    },
    press: (keys) => sender.dtmf.insertDTMF(keys, 100, 60),
    async hears(hz) {
      const levels = new Float32Array(ear.frequencyBinCount)
      const width = audio.sampleRate / ear.fftSize
      const started = Date.now()
      for (;;) {
        ear.getFloatFrequencyData(levels)
        const loudest = levels.indexOf(Math.max(...levels))
        if (levels[loudest] > -50 && Math.abs(loudest * width - hz) < 2 * width) return
        if (Date.now() - started > 30000) throw new Error('heard ' + loudest * width + ' Hz at ' + levels[loudest] + ' dB')
        await new Promise((resume) => setTimeout(resume, 50))
      }
    },
  }
})()`

function wavOf(samples: Int16Array): Buffer {
  const sound = Buffer.from(samples.buffer)
  return Buffer.concat([wavHeader(1, sound.length), sound])
}

const quoted = (sdp: string) => JSON.stringify(sdp)

/** RFC 6716 §3.1: the configurations of SILK and of CELT for narrowband. */
function isNarrowbandOpus(payload: Buffer): boolean {
  const config = payload[0]! >> 3
  return config < 4 || (config >= 16 && config < 20)
}
