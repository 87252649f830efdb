import type { Page } from 'playwright-core'

import type { LegStart } from '../../../server/media/port.ts'
import { openPage } from '../browser/browser.ts'
import type { MediaPlane } from './media-plane.ts'

type CallOptions = Pick<LegStart, 'near' | 'opus' | 'isNarrowband'>

/** A page with a minimal softphone, whose microphone is an oscillator. */
export async function openWebrtcPhone(plane: Pick<MediaPlane, 'media' | 'event'>) {
  const page: Page = await openPage()
  await page.evaluate(installSoftphone)
  const run = <T>(code: string): Promise<T> => page.evaluate(code)
  return {
    offer: () => run<string>('phone.offer()'),
    accept: (sdp: string) => run<void>(`phone.accept(${quoted(sdp)})`),
    answer: (sdp: string) => run<string>(`phone.answer(${quoted(sdp)})`),
    async call({ near, opus = true, isNarrowband = false }: CallOptions = {}): Promise<string> {
      const offer = await run<string>('phone.offer()')
      const created = await plane.media.createLeg({
        offer,
        opus,
        isNarrowband,
        ...(near !== undefined && { near }),
      })
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

const quoted = (sdp: string) => JSON.stringify(sdp)
