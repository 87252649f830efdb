import type { Digit } from './audio/dtmf.ts'
import type { ToneName } from './audio/tones.ts'
import type { Direction } from './sdp/direction.ts'
import type { SdpRefusal } from './sdp/refusal.ts'
import type { EncryptionPolicy, Transport } from './sdp/remote-audio.ts'

export { type Digit, isDigit } from './audio/dtmf.ts'
export { isSilent } from './audio/silence.ts'
export type { ToneName } from './audio/tones.ts'
export type { Direction } from './sdp/direction.ts'
export type { SdpRefusal } from './sdp/refusal.ts'
export type { EncryptionPolicy, Transport } from './sdp/remote-audio.ts'

/** The media of one participant. Ids are plain strings, so that media may run in another thread or process. */
export type LegId = string
/** Something that runs on a leg and can be stopped: playback, digit collection, a recording. */
export type TaskId = string

/**
 * The media of calls, as signalling sees it. What takes time ends with an event; what cannot be done is a named
 * value. Only a leg that is gone, or a machine without free ports, throws (`MediaFailed`).
 */
export interface MediaPort {
  /** Answers an SDP offer of the other side, or makes one. */
  createLeg(start: LegStart): Promise<LegCreated>
  /** Two legs whose packets reach each other without a network: the first makes an SDP offer, the second answers it. */
  createPair(near?: LegId): Promise<[LegMade, LegMade]>
  /** The answer to our last offer (repeated for every early answer), or a later offer, which is answered. */
  setRemote(leg: LegId, remote: RemoteDescription): Promise<RemoteSet>
  /** Returns an SDP offer: 'sendonly' holds, 'sendrecv' resumes. It takes effect once it is answered. */
  hold(leg: LegId, direction: Direction): Promise<string>
  /** Returns an SDP offer that repeats what we last agreed to, for a peer that asks for one. */
  reoffer(leg: LegId): Promise<string>
  /** Returns an SDP offer to somebody else, as if nothing had been agreed yet. Not for browsers. */
  offerAnew(leg: LegId, transport: Exclude<Transport, 'webrtc'>, family?: IpFamily): Promise<string>
  /** Connects two legs with each other only. */
  bridge(a: LegId, b: LegId): Promise<void>
  /** Each leg hears all the others. Call it again to add or remove legs. */
  mix(legs: LegId[]): Promise<void>
  /** Removes a leg from its bridge or mix. */
  separate(leg: LegId): Promise<void>
  /** Plays to the leg in place of its bridge, and replaces a running playback. Ends with `play.ended`. */
  play(leg: LegId, sound: PlaybackSource, options?: PlayOptions): Promise<TaskId>
  /** Ends with `digits.collected`. */
  collectDigits(leg: LegId, options: CollectOptions): Promise<TaskId>
  /** Sends DTMF digits to the other side. */
  sendDigits(leg: LegId, digits: Digit[]): Promise<void>
  /** A DTMF digit that arrived in signalling (SIP INFO). */
  pressed(leg: LegId, digit: Digit): Promise<void>
  /** Ends with `recording.ended`. */
  record(leg: LegId, options: RecordOptions): Promise<TaskId>
  /** From now on a recording has silence in place of everybody, so that its time still fits. False if it has ended. */
  pauseRecording(task: TaskId): Promise<boolean>
  /** False if the recording has ended. */
  resumeRecording(task: TaskId): Promise<boolean>
  stop(task: TaskId): Promise<void>
  statistics(leg: LegId): Promise<LegStatistics>
  close(leg: LegId): Promise<void>
  /** The UDP ports for media. */
  portUsage(): Promise<{ inUse: number; total: number }>
  /** Returns a function that removes the listener. */
  listen(listener: (event: MediaEvent) => void): () => void
}

/**
 * By default, media is encrypted if the other side offers it. The policy also applies to later SDP offers. The media is
 * of the family of the other side's offer or, for an offer of ours, of the given one, if we have an address of it.
 */
export type LegStart = ({ offer: string } | { transport: Transport; family?: IpFamily }) & {
  encryption?: EncryptionPolicy
  /** Offers Opus beside G.711, and prefers it where it is offered. For browsers and phones: carriers have G.711. */
  opus?: boolean
  /** It will talk to G.711, so it should not send more than telephone audio in Opus. Assumed if `near` has G.711. */
  isNarrowband?: boolean
  /** A leg that it will probably talk to. Legs that are far apart can be connected too, at a higher price. */
  near?: LegId
}

/** The version of IP. */
export type IpFamily = 4 | 6

export interface LegMade {
  leg: LegId
  /** Our answer or offer. */
  sdp: string
}

export type LegCreated = ({ ok: true } & LegMade) | { ok: false; why: SdpRefusal }

export interface RemoteDescription {
  type: 'offer' | 'answer'
  sdp: string
}

export type RemoteSet =
  | {
      ok: true
      /** What our side may do now: if we may not send, we are on hold. */
      direction: Direction
      /** The answer, if an offer was set. */
      sdp?: string
    }
  | { ok: false; why: SdpRefusal }

/** A WAV file by its path or its bytes, or a tone. The same id means the same bytes. */
export type PlaybackSource = { file: string } | { wav: Uint8Array; id?: string } | { tone: ToneName }

export interface PlayOptions {
  loop?: boolean
  /** The first digit ends it. */
  untilDigit?: boolean
}

export interface CollectOptions {
  count: number
  /** Ends the collection, and is not part of it. */
  terminator?: Digit
  firstDigitMs: number
  nextDigitMs: number
}

export interface RecordOptions {
  file: string
  /** One channel with the leg; or two, with the leg on the left and what it hears from others on the right. */
  channels: 1 | 2
  maxMs: number
  /** Ends after this much silence of the leg. */
  silenceMs?: number
  /**
   * How often the leg and those whom it hears get the recorder warning tone, unless the recording is paused. It is added
   * to what they hear, and is not in the recording.
   */
  warningToneEveryMs?: number
}

export interface LegStatistics {
  sentPackets: number
  receivedPackets: number
  lostPackets: number
  jitterMs: number
  /** Our packets that the other side reports as lost. */
  remoteLostPackets: number
  /** Null until the other side has sent a report. */
  roundTripMs: number | null
  /** Packets from unknown addresses, unless the system drops them, or forged ones. */
  refusedPackets: number
  /** Frames of Opus that we decoded: none as long as packets are relayed as they are. */
  opusDecodedFrames: number
  opusEncodedFrames: number
}

export type MediaEvent =
  /** The first packet has arrived, or, for a browser, ICE and DTLS are complete. */
  | { on: 'leg.connected'; leg: LegId }
  /** No packets for a while, for whatever reason. Reported again at intervals while none arrive. */
  | { on: 'leg.quiet'; leg: LegId; quietMs: number }
  /** The browser is gone, or failed its authentication. */
  | { on: 'leg.lost'; leg: LegId; why: 'consent_expired' | 'dtls_failed' }
  | { on: 'leg.closed'; leg: LegId; statistics: LegStatistics }
  | { on: 'digit'; leg: LegId; digit: Digit }
  | { on: 'play.ended'; leg: LegId; task: TaskId; why: PlayEnd }
  | { on: 'digits.collected'; leg: LegId; task: TaskId; digits: string; why: CollectEnd }
  | {
      on: 'recording.ended'
      leg: LegId
      task: TaskId
      file: string
      durationMs: number
      why: RecordEnd
    }

export type PlayEnd = 'finished' | 'stopped' | 'digit' | 'replaced' | 'leg_closed' | 'failed'
export type CollectEnd = 'count' | 'terminator' | 'timeout' | 'stopped' | 'leg_closed'
export type RecordEnd = 'stopped' | 'limit' | 'silence' | 'leg_closed' | 'failed'

export class MediaFailed extends Error {
  readonly why: 'leg_gone' | 'no_ports' | 'sound'

  constructor(why: MediaFailed['why'], message: string) {
    super(message)
    this.name = 'MediaFailed'
    this.why = why
  }
}
