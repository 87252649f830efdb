import type { Digit } from '../audio/dtmf.ts'
import { FRAME_SAMPLES } from '../audio/frame.ts'
import { encodeG711, type Law, transcodeG711 } from '../audio/g711.ts'
import { createOutgoingStream } from '../rtp/outgoing.ts'
import { newPacketSequence, type PacketSequence } from '../rtp/packet-sequence.ts'
import { type RtpPacket, writeRtp } from '../rtp/packet.ts'
import { sends } from '../sdp/direction.ts'
import type { NegotiatedAudio } from '../sdp/negotiate.ts'
import { createDtmfSender } from '../stages/dtmf-sender.ts'
import type { Player } from '../stages/player.ts'

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

  function sendFrame(run: PacketSequence, codes: Uint8Array, atMs: number): void {
    post(run, session!.send.payloadType, false, run, codes, atMs)
    run.sequence = (run.sequence + 1) & 0xffff
    run.timestamp = (run.timestamp + FRAME_SAMPLES) >>> 0
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
      const { law, payloadType } = session.send
      let codes: Uint8Array = packet.payload
      if (law !== kind) {
        codes = Uint8Array.from(packet.payload)
        transcodeG711(kind, codes)
      }
      post(source, payloadType, packet.marker, packet, codes, atMs)
    },
    /** Sends a frame of the mix. */
    say(source: object, frame: Int16Array, atMs: number): void {
      if (!session || busy()) return
      if (mixed?.source !== source) mixed = { source, run: newPacketSequence() }
      sendFrame(mixed.run, encodeG711(session.send.law, frame), atMs)
    },
    play(frames: Player | undefined): void {
      player = frames && { frames, run: newPacketSequence() }
    },
    press: (digits: Digit[]): void => keypad.add(digits),
    /** Advances by 20 ms; true when the playback has ended. */
    tick(atMs: number): boolean {
      if (!session) return false
      if (pressKeys(atMs) || !player) return false
      const codes = player.frames.next(session.send.law)
      if (codes) sendFrame(player.run, codes, atMs)
      else player = undefined
      return codes === undefined
    },
  }
}

export type SendPath = ReturnType<typeof createSendPath>
