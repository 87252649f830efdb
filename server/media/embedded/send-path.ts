import type { Digit } from '../audio/dtmf.ts'
import { clampSample, FRAME_SAMPLES } from '../audio/frame.ts'
import { decodeG711, encodeG711, type Law, SILENT_CODE, transcodeG711 } from '../audio/g711.ts'
import { createOutgoingStream } from '../rtp/outgoing.ts'
import { newPacketSequence, type PacketSequence } from '../rtp/packet-sequence.ts'
import { type RtpPacket, writeRtp } from '../rtp/packet.ts'
import { sends } from '../sdp/direction.ts'
import type { NegotiatedAudio } from '../sdp/negotiate.ts'
import { createDtmfSender } from '../stages/dtmf-sender.ts'
import type { Player } from '../stages/player.ts'

/** If nobody has been heard for this long, a tone that is to be added to the audio is sent by itself. */
const NOBODY_HEARD_MS = 60

/** The send path of a leg. DTMF digits take precedence over playback, and playback over other legs. */
export function createSendPath(
  start: { ssrc: number; sequence: number; timestamp: number },
  send: (packet: Buffer, index: number) => void,
) {
  const stream = createOutgoingStream(start)
  const keypad = createDtmfSender()
  let session: NegotiatedAudio | undefined
  let player: { frames: Player; run: PacketSequence } | undefined
  let mixed: { source: object; run: PacketSequence } | undefined
  let added: { samples: Int16Array; at: number; run: PacketSequence } | undefined
  /** When the leg was last sent what others say. */
  let heardMs = -Infinity
  const sent = { packets: 0, bytes: 0, timestamp: start.timestamp, atMs: 0 }

  function post(
    source: object,
    payloadType: number,
    marker: boolean,
    from: { sequence: number; timestamp: number },
    payload: Uint8Array,
    atMs: number,
  ): void {
    if (!session || !sends(session.direction)) return
    const place = stream.place(source, from, atMs, payload.length)
    if (!place) return
    sent.packets++
    sent.bytes += payload.length
    sent.timestamp = place.timestamp
    sent.atMs = atMs
    // The first packet of a source has the marker bit, so that the receiver can adjust (RFC 3551 §4.1).
    const mark = marker || place.first
    send(writeRtp(payloadType, mark, place.sequence, place.timestamp, stream.ssrc, payload), place.index)
  }

  /** The codes with the next samples of the tone that is added, if there is one. */
  function withTone(law: Law, codes: Uint8Array): Uint8Array {
    if (!added) return codes
    const samples = decodeG711(law, codes)
    const { samples: tone, at } = added
    for (let i = 0; i < samples.length; i++) samples[i] = clampSample(samples[i]! + (tone[at + i] ?? 0))
    added.at += samples.length
    if (added.at >= tone.length) added = undefined
    return encodeG711(law, samples)
  }

  function sendFrame(run: PacketSequence, codes: Uint8Array, atMs: number): void {
    post(run, session!.send.payloadType, false, run, codes, atMs)
    run.sequence = (run.sequence + 1) & 0xffff
    run.timestamp = (run.timestamp + FRAME_SAMPLES) >>> 0
  }

  /** For a leg that hears nobody. */
  function sendTone(atMs: number): void {
    if (!added || atMs - heardMs < NOBODY_HEARD_MS) return
    const { law } = session!.send
    const { run } = added
    sendFrame(run, withTone(law, new Uint8Array(FRAME_SAMPLES).fill(SILENT_CODE[law])), atMs)
  }

  /** True while digits are being sent. */
  function pressKeys(atMs: number): boolean {
    const next = keypad.next(session!.send)
    if (!next) return false
    const { stroke, run } = next
    if (stroke.kind === 'sound') sendFrame(run, stroke.codes, atMs)
    if (stroke.kind === 'event') {
      const { payload, marker } = stroke.packet
      post(run, stroke.payloadType, marker, run, payload, atMs)
      run.sequence++
    }
    return true
  }

  const busy = () => player !== undefined || keypad.busy

  return {
    ssrc: stream.ssrc,
    get sentPackets() {
      return sent.packets
    },
    get sentBytes() {
      return sent.bytes
    },
    /** The RTP timestamp of a time, for reports. */
    timestampAt: (atMs: number): number =>
      (sent.timestamp + Math.max(0, Math.round((atMs - sent.atMs) * 8))) >>> 0,
    apply(agreed: NegotiatedAudio): void {
      if (session && !sends(session.direction)) stream.interrupt()
      session = agreed
    },
    /** Relays a packet of another leg, unchanged if the law is the same. */
    relay(source: object, packet: RtpPacket, kind: Law | 'event', atMs: number): void {
      if (!session || busy()) return
      if (kind === 'event') {
        const { events } = session.send
        if (events !== undefined) post(source, events, packet.marker, packet, packet.payload, atMs)
        return
      }
      heardMs = atMs
      const { law, payloadType } = session.send
      let codes: Uint8Array = packet.payload
      if (law !== kind) {
        codes = Uint8Array.from(packet.payload)
        transcodeG711(kind, codes)
      }
      post(source, payloadType, packet.marker, packet, withTone(law, codes), atMs)
    },
    /** Sends a frame of the mix. */
    say(source: object, frame: Int16Array, atMs: number): void {
      if (!session || busy()) return
      heardMs = atMs
      if (mixed?.source !== source) mixed = { source, run: newPacketSequence() }
      const { law } = session.send
      sendFrame(mixed.run, withTone(law, encodeG711(law, frame)), atMs)
    },
    play(frames: Player | undefined): void {
      player = frames && { frames, run: newPacketSequence() }
    },
    press: (digits: Digit[]): void => keypad.add(digits),
    /** Adds a tone to what the leg hears, whatever that is. */
    add(samples: Int16Array): void {
      added = { samples, at: 0, run: newPacketSequence() }
    },
    /** Advances by 20 ms; true when the playback has ended. */
    tick(atMs: number): boolean {
      if (!session) return false
      if (pressKeys(atMs)) return false
      if (!player) {
        sendTone(atMs)
        return false
      }
      const { law } = session.send
      const codes = player.frames.next(law)
      if (codes) sendFrame(player.run, withTone(law, codes), atMs)
      else player = undefined
      return codes === undefined
    },
  }
}

export type SendPath = ReturnType<typeof createSendPath>
