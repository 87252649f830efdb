import type { Digit } from './audio/dtmf.ts'
import type { ToneName } from './audio/tones.ts'
import type { Direction } from './sdp/direction.ts'
import type { SdpRefusal } from './sdp/refusal.ts'
import type { Transport } from './sdp/remote-audio.ts'

export type { Digit } from './audio/dtmf.ts'
export type { ToneName } from './audio/tones.ts'
export type { Direction } from './sdp/direction.ts'
export type { SdpRefusal } from './sdp/refusal.ts'
export type { Transport } from './sdp/remote-audio.ts'

/** One party's sound. Ids are plain text, so that the sound may live in another process. */
export type LegId = string
/** Something that runs on a leg and can be stopped: a sound, a collection of digits, a recording. */
export type TaskId = string

/**
 * The sound of calls, of which signalling knows only this. What takes time ends with an event; what cannot be done is
 * a named value, and only a leg that is gone, or a machine without ports, is an exception (`MediaFailed`).
 */
export interface MediaPort {
  /** Answers an offer of the other side, or makes one. */
  createLeg(start: LegStart): Promise<LegCreated>
  /** The answer to our last offer (again for every early answer), or an offer made later, which is answered. */
  setRemote(leg: LegId, remote: RemoteDescription): Promise<RemoteSet>
  /** Gives the offer that asks for this: 'sendonly' holds, 'sendrecv' resumes. It counts once it is answered. */
  hold(leg: LegId, direction: Direction): Promise<string>
  /** Two legs hear each other, and nobody else. */
  bridge(a: LegId, b: LegId): Promise<void>
  /** Each of them hears all the others. Again with more or fewer legs, it changes who is in it. */
  mix(legs: LegId[]): Promise<void>
  /** Takes a leg out of its bridge or mix. */
  separate(leg: LegId): Promise<void>
  /** The leg hears this instead of whom it is bridged with; a sound in progress gives way. Ends with `play.ended`. */
  play(leg: LegId, sound: Sound, options?: PlayOptions): Promise<TaskId>
  /** Ends with `digits.collected`. */
  collectDigits(leg: LegId, options: CollectOptions): Promise<TaskId>
  /** Presses keys towards the other side. */
  sendDigits(leg: LegId, digits: Digit[]): Promise<void>
  /** A key that came by way of signalling (SIP INFO). */
  pressed(leg: LegId, digit: Digit): Promise<void>
  /** Ends with `recording.ended`. */
  record(leg: LegId, options: RecordOptions): Promise<TaskId>
  stop(task: TaskId): Promise<void>
  statistics(leg: LegId): Promise<LegStatistics>
  close(leg: LegId): Promise<void>
  /** The returned function ends it. */
  listen(listener: (event: MediaEvent) => void): () => void
}

export type LegStart = { offer: string } | { transport: Transport }

export type LegCreated =
  | {
      ok: true
      leg: LegId
      /** Our answer or offer. */
      sdp: string
    }
  | { ok: false; why: SdpRefusal }

export interface RemoteDescription {
  type: 'offer' | 'answer'
  sdp: string
}

export type RemoteSet =
  | {
      ok: true
      /** What our side may do now: without sending we are on hold. */
      direction: Direction
      /** The answer, where an offer was set. */
      sdp?: string
    }
  | { ok: false; why: SdpRefusal }

/** A WAV file by its path or its bytes, or a tone. */
export type Sound = { file: string } | { wav: Uint8Array } | { tone: ToneName }

export interface PlayOptions {
  loop?: boolean
  /** The first key ends it. */
  untilDigit?: boolean
}

export interface CollectOptions {
  count: number
  /** Ends the collection and is not part of it. */
  terminator?: Digit
  firstDigitMs: number
  nextDigitMs: number
}

export interface RecordOptions {
  file: string
  /** One channel with what the leg says; or two, what it says on the left and what others say to it on the right. */
  channels: 1 | 2
  maxMs: number
  /** Ends when the leg has been silent for so long. */
  silenceMs?: number
}

export interface LegStatistics {
  sentPackets: number
  receivedPackets: number
  lostPackets: number
  jitterMs: number
  /** What the other side says it lost of ours. */
  remoteLostPackets: number
  /** Null until the other side has reported. */
  roundTripMs: number | null
  /** Packets from addresses that have no part in the call, or that were forged. */
  refusedPackets: number
}

export type MediaEvent =
  /** Sound has begun to arrive, or, for a browser, the way is open. */
  | { on: 'leg.connected'; leg: LegId }
  /** Nothing has come for long; says nothing of why. Once, until something comes again. */
  | { on: 'leg.quiet'; leg: LegId; quietMs: number }
  /** The browser is gone, or is not who it said it was. */
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
