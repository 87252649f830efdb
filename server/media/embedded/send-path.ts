import type { Digit } from '../audio/dtmf.ts'
import { clampSample, FRAME_MS, FRAME_SAMPLES } from '../audio/frame.ts'
import { decodeG711, encodeG711, transcodeG711 } from '../audio/g711.ts'
import type { OpusCodecs, OpusEncoder } from '../audio/opus.ts'
import { createOutgoingStream, type StreamPosition } from '../rtp/outgoing.ts'
import { newPacketSequence, type PacketSequence } from '../rtp/packet-sequence.ts'
import { type ReceivedRtp, writeRtp } from '../rtp/packet.ts'
import { CLOCK_RATE, type Codec } from '../sdp/codecs.ts'
import { sends } from '../sdp/direction.ts'
import type { NegotiatedAudio } from '../sdp/negotiate.ts'
import { createDtmfSender } from '../stages/dtmf-sender.ts'
import type { Player } from '../stages/player.ts'

/** If nobody has been heard for this long, a tone that is to be added to the audio is sent by itself. */
const NOBODY_HEARD_MS = 60
/** An encoder that is not needed for this long is closed: the leg is sent relayed packets. */
const ENCODER_IDLE_MS = 2_000

/** The send path of a leg. DTMF digits take precedence over playback, and playback over other legs. */
export function createSendPath(
  start: { ssrc: number; sequence: number; timestamp: number },
  send: (packet: Buffer, index: number) => void,
  /** Called when there is something to do in the next tick. */
  wake: () => void,
  opus: OpusCodecs,
) {
  const stream = createOutgoingStream(start)
  const keypad = createDtmfSender()
  let session: NegotiatedAudio | undefined
  let player: { frames: Player; run: PacketSequence } | undefined
  let mixed: { source: object; run: PacketSequence } | undefined
  let added: { samples: Int16Array; at: number; run: PacketSequence } | undefined
  /** When the leg was last sent what others say. */
  let heardMs = -Infinity
  let opusFrames = 0
  let encoder: { opus: OpusEncoder; usedMs: number } | undefined
  const sent = { packets: 0, bytes: 0, timestamp: start.timestamp, atMs: 0 }

  /** Counts a packet, and returns its position in the stream; undefined for one that must not be sent. */
  function place(
    source: object,
    from: { sequence: number; timestamp: number },
    payloadBytes: number,
    atMs: number,
  ): StreamPosition | undefined {
    if (!session || !sends(session.direction)) return undefined
    const { codec } = session.send
    const ticks = codec === 'opus' ? frameTicks(codec) : payloadBytes
    const position = stream.place(source, from, atMs, ticks, CLOCK_RATE[codec])
    if (!position) return undefined
    sent.packets++
    sent.bytes += payloadBytes
    sent.timestamp = position.timestamp
    sent.atMs = atMs
    return position
  }

  function post(
    source: object,
    payloadType: number,
    marker: boolean,
    from: { sequence: number; timestamp: number },
    payload: Uint8Array,
    atMs: number,
  ): void {
    const position = place(source, from, payload.length, atMs)
    if (!position) return
    const { index, sequence, timestamp, first } = position
    // The first packet of a source has the marker bit, so that the receiver can adjust (RFC 3551 §4.1).
    send(writeRtp(payloadType, marker || first, sequence, timestamp, stream.ssrc, payload), index)
  }

  /** Sends a packet of another leg on, in its own bytes. */
  function forward(source: object, payloadType: number, packet: ReceivedRtp, atMs: number): void {
    const position = place(source, packet, packet.payloadBytes, atMs)
    if (!position) return
    const { index, sequence, timestamp, first } = position
    send(packet.withHeader(payloadType, packet.marker || first, sequence, timestamp, stream.ssrc), index)
  }

  /** The samples, mixed with the next ones of the added tone if there is one. */
  function withTone(samples: Int16Array): Int16Array {
    if (!added) return samples
    const { samples: tone, at } = added
    added.at += samples.length
    if (added.at >= tone.length) added = undefined
    return samples.map((sample, i) => clampSample(sample + (tone[at + i] ?? 0)))
  }

  /** Undefined while the encoder is not ready. */
  function encode(frame: Int16Array, atMs: number): Uint8Array | undefined {
    const { codec, opus: settings } = session!.send
    if (codec !== 'opus') return encodeG711(codec, frame)
    wake()
    encoder ??= { opus: opus.encoder(settings), usedMs: atMs }
    encoder.usedMs = atMs
    opusFrames++
    return encoder.opus.encode(frame)
  }

  function closeEncoder(): void {
    encoder?.opus.close()
    encoder = undefined
  }

  function sendFrame(run: PacketSequence, payload: Uint8Array | undefined, atMs: number): void {
    const { codec, payloadType } = session!.send
    if (payload) post(run, payloadType, false, run, payload, atMs)
    run.sequence = (run.sequence + 1) & 0xffff
    run.timestamp = (run.timestamp + frameTicks(codec)) >>> 0
  }

  const sendSamples = (run: PacketSequence, samples: Int16Array, atMs: number): void =>
    sendFrame(run, encode(samples, atMs), atMs)

  /** For a leg that hears nobody. */
  function sendTone(atMs: number): void {
    if (!added || atMs - heardMs < NOBODY_HEARD_MS) return
    const { run } = added
    sendSamples(run, withTone(new Int16Array(FRAME_SAMPLES)), atMs)
  }

  /** False at the end. */
  function sendPlayback({ frames, run }: { frames: Player; run: PacketSequence }, atMs: number): boolean {
    const { codec } = session!.send
    if (codec === 'opus' || added) {
      const samples = frames.nextSamples()
      if (samples) sendSamples(run, withTone(samples), atMs)
      return samples !== undefined
    }
    const codes = frames.next(codec)
    if (codes) sendFrame(run, codes, atMs)
    return codes !== undefined
  }

  /** True while digits are being sent. */
  function pressKeys(atMs: number): boolean {
    const next = keypad.next(session!.send)
    if (!next) return false
    const { stroke, run } = next
    if (stroke.kind === 'sound') sendSamples(run, stroke.samples, atMs)
    if (stroke.kind === 'event') {
      const { payload, marker } = stroke.packet
      post(run, stroke.payloadType, marker, run, payload, atMs)
      run.sequence++
    }
    return true
  }

  /** Whether packets of this codec cannot be relayed at the moment, so that the leg needs frames. */
  function needsFrames(from: Codec): boolean {
    if (!session) return false
    const { codec } = session.send
    if (codec !== 'opus' && from !== 'opus') return false
    return codec !== from || added !== undefined
  }

  const clockRate = () => CLOCK_RATE[session?.send.codec ?? 'pcma']
  const busy = () => player !== undefined || keypad.isBusy()

  return {
    ssrc: stream.ssrc,
    sent: sent as Readonly<typeof sent>,
    /** Those that were encoded. */
    opusFrames: (): number => opusFrames,
    /** The RTP timestamp of a time, for reports. */
    timestampAt: (atMs: number): number =>
      (sent.timestamp + Math.max(0, Math.round(((atMs - sent.atMs) * clockRate()) / 1_000))) >>> 0,
    apply(agreed: NegotiatedAudio): void {
      if (session && !sends(session.direction)) stream.interrupt()
      session = agreed
    },
    needsFrames,
    /** Relays a packet of another leg, unchanged if the codec is the same; nothing if the leg needs frames. */
    relay(source: object, packet: ReceivedRtp, from: Codec, atMs: number): void {
      if (!session || busy() || needsFrames(from)) return
      heardMs = atMs
      const { codec, payloadType } = session.send
      if (codec !== 'opus' && from !== 'opus') {
        if (added) {
          const codes = encodeG711(codec, withTone(decodeG711(from, packet.payload)))
          return post(source, payloadType, packet.marker, packet, codes, atMs)
        }
        if (codec !== from) transcodeG711(from, packet.payload)
      }
      forward(source, payloadType, packet, atMs)
    },
    /** Relays a telephone event, whose clock must be that of our own events. */
    relayEvent(source: object, packet: ReceivedRtp, atMs: number): void {
      const events = session?.send.events
      if (events && !busy()) forward(source, events.payloadType, packet, atMs)
    },
    /** Sends a frame of a mix, or of a leg whose packets cannot be relayed. */
    say(source: object, frame: Int16Array, atMs: number): void {
      if (!session || !sends(session.direction) || busy()) return
      heardMs = atMs
      if (mixed?.source !== source) mixed = { source, run: newPacketSequence() }
      sendSamples(mixed.run, withTone(frame), atMs)
    },
    /** The first frame is sent at once, unless the leg hears something already: that goes on with the next tick. */
    play(frames: Player, atMs: number): void {
      wake()
      player = { frames, run: newPacketSequence() }
      if (!session || keypad.isBusy() || atMs - sent.atMs < FRAME_MS) return
      try {
        sendPlayback(player, atMs)
      } catch {
        // The next tick meets the same failure, and ends the leg.
      }
    },
    stopPlayback(): void {
      player = undefined
    },
    press(digits: Digit[]): void {
      wake()
      keypad.add(digits)
    },
    /** Adds a tone to what the leg hears, whatever that is. */
    add(samples: Int16Array): void {
      wake()
      added = { samples, at: 0, run: newPacketSequence() }
    },
    isIdle: (): boolean => !player && !added && !encoder && !keypad.hasDigits(),
    /** Advances by 20 ms; true when the playback has ended. */
    tick(atMs: number): boolean {
      if (!session) return false
      if (encoder && atMs - encoder.usedMs > ENCODER_IDLE_MS) closeEncoder()
      if (keypad.hasDigits() && pressKeys(atMs)) return false
      if (!player) {
        sendTone(atMs)
        return false
      }
      if (sendPlayback(player, atMs)) return false
      player = undefined
      return true
    },
    close: closeEncoder,
  }
}

const frameTicks = (codec: Codec): number => (CLOCK_RATE[codec] * FRAME_MS) / 1_000

export type SendPath = ReturnType<typeof createSendPath>
