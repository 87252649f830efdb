import { type Digit, renderDigit } from '../audio/dtmf.ts'
import { FRAME_SAMPLES } from '../audio/frame.ts'
import { changeLaw, encode, type Law } from '../audio/g711.ts'
import { createOutgoingStream } from '../rtp/outgoing.ts'
import { type RtpPacket, writeRtp } from '../rtp/packet.ts'
import { type EventPacket, pressDigit } from '../rtp/telephone-event.ts'
import { sends } from '../sdp/direction.ts'
import type { AudioSession } from '../sdp/negotiate.ts'
import { createPlayer, encodedSound, type Player } from '../stages/player.ts'
import { MEDIA_LIMITS } from './limits.ts'

/** What a leg sends. Keys go before a sound that plays, and that before what others say. */
export interface Voice {
  readonly ssrc: number
  readonly sentPackets: number
  readonly sentBytes: number
  /** The timestamp that belongs to a time, for reports. */
  timestampAt(atMs: number): number
  apply(session: AudioSession): void
  /** A packet of somebody else's, passed on as it is where the law is the same. */
  relay(source: object, packet: RtpPacket, kind: Law | 'event', atMs: number): void
  /** A frame of the mix. */
  say(source: object, frame: Int16Array, atMs: number): void
  play(player: Player | undefined): void
  press(digits: Digit[]): void
  /** Moves on by 20 ms; true when the sound has come to its end. */
  tick(atMs: number): boolean
}

/** One run of frames of our own making, numbered from its beginning. */
interface Run {
  sequence: number
  timestamp: number
}

export function createVoice(
  start: { ssrc: number; sequence: number; timestamp: number },
  send: (packet: Buffer, index: number) => void,
): Voice {
  const stream = createOutgoingStream(start)
  let session: AudioSession | undefined
  let player: { frames: Player; run: Run } | undefined
  let mixed: { source: object; run: Run } | undefined
  let pressing: { packets: Iterator<EventPacket | undefined>; run: Run } | undefined
  let tones: { frames: Player; run: Run } | undefined
  let waiting: Digit[] = []
  let sent = { packets: 0, bytes: 0, timestamp: start.timestamp, atMs: 0 }

  function post(
    source: object,
    packet: Omit<RtpPacket, 'ssrc' | 'payload'>,
    payload: Uint8Array,
    atMs: number,
  ): void {
    if (!session || !sends(session.direction)) return
    const place = stream.place(source, packet, atMs, payload.length)
    if (!place) return
    const bytes = writeRtp({
      ...packet,
      sequence: place.sequence,
      timestamp: place.timestamp,
      // The beginning of a source is marked, so that the listener may adjust (RFC 3551 §4.1).
      marker: packet.marker || place.first,
      ssrc: stream.ssrc,
      payload: payload as Buffer,
    })
    sent = { packets: sent.packets + 1, bytes: sent.bytes + payload.length, timestamp: place.timestamp, atMs }
    send(bytes, place.index)
  }

  function sendFrame(run: Run, codes: Uint8Array, atMs: number): void {
    post(run, { payloadType: session!.send.payloadType, marker: false, ...run }, codes, atMs)
    run.sequence = (run.sequence + 1) & 0xffff
    run.timestamp = (run.timestamp + FRAME_SAMPLES) >>> 0
  }

  /** True while keys are being pressed, as events where the other side takes them, or else as tones. */
  function pressKeys(atMs: number): boolean {
    if (!pressing && !tones) {
      const digit = waiting.shift()
      if (digit === undefined) return false
      if (session!.send.events === undefined) {
        tones = { frames: createPlayer(encodedSound(renderDigit(digit)), false), run: newRun() }
      } else pressing = { packets: pressDigit(digit), run: newRun() }
    }
    if (tones) {
      const codes = tones.frames.next(session!.send.law)
      if (codes) sendFrame(tones.run, codes, atMs)
      else tones = undefined
      return tones !== undefined || pressKeys(atMs)
    }
    const { done, value } = pressing!.packets.next()
    if (done) {
      pressing = undefined
      return pressKeys(atMs)
    }
    if (value) {
      const { run } = pressing!
      post(run, { payloadType: session!.send.events!, marker: value.marker, ...run }, value.payload, atMs)
      run.sequence++
    }
    return true
  }

  const busy = () => player !== undefined || pressing !== undefined || tones !== undefined

  return {
    ssrc: stream.ssrc,
    get sentPackets() {
      return sent.packets
    },
    get sentBytes() {
      return sent.bytes
    },
    timestampAt: (atMs) => (sent.timestamp + Math.max(0, Math.round((atMs - sent.atMs) * 8))) >>> 0,
    apply(agreed) {
      if (session && !sends(session.direction)) stream.interrupt()
      session = agreed
    },
    relay(source, packet, kind, atMs) {
      if (!session || busy()) return
      if (kind === 'event') {
        const { events } = session.send
        if (events !== undefined) post(source, { ...packet, payloadType: events }, packet.payload, atMs)
        return
      }
      const { law, payloadType } = session.send
      let codes: Uint8Array = packet.payload
      if (law !== kind) {
        codes = Uint8Array.from(packet.payload)
        changeLaw(kind, codes)
      }
      post(source, { ...packet, payloadType }, codes, atMs)
    },
    say(source, frame, atMs) {
      if (!session || busy()) return
      if (mixed?.source !== source) mixed = { source, run: newRun() }
      sendFrame(mixed.run, encode(session.send.law, frame), atMs)
    },
    play(frames) {
      player = frames && { frames, run: newRun() }
    },
    press(digits) {
      waiting = [...waiting, ...digits].slice(0, MEDIA_LIMITS.digitsWaitingMax)
    },
    tick(atMs) {
      if (!session) return false
      if (pressKeys(atMs) || !player) return false
      const codes = player.frames.next(session.send.law)
      if (codes) sendFrame(player.run, codes, atMs)
      else player = undefined
      return codes === undefined
    },
  }
}

const newRun = (): Run => ({ sequence: 0, timestamp: 0 })
