import type { Address } from '../../message/grammar/address.ts'
import type { Uri } from '../../message/grammar/uri.ts'
import type { Body, SipRequest } from '../../message/message.ts'
import type { Family } from '../../transport/flow.ts'

/** Who the call is with, authenticated by address or by password. */
export type Peer = { kind: 'trunk'; trunk: string } | { kind: 'device'; username: string }

/** Why a call ended. */
export type CallEndReason =
  | { why: 'hungUp'; by: 'us' | 'peer' }
  /** The caller cancelled before an answer; `elsewhere` if, as they say, somebody else has answered. */
  | { why: 'cancelled'; elsewhere?: true }
  | { why: 'refused'; by: 'us' | 'peer'; status: number; reason: string }
  /** The peer no longer responds, or its connection closed. */
  | { why: 'lost' }

export type CallEvent =
  /** The callee is being rung, without early media. */
  | { type: 'ringing' }
  /** Early media. */
  | { type: 'progress'; status: number; body: Body }
  /** The callee has answered our call. */
  | { type: 'answered'; body: Body | undefined }
  /** Our answer was acknowledged. The body is set if the caller left the SDP offer to us. */
  | { type: 'connected'; body: Body | undefined }
  | { type: 'offer'; offer: RemoteOffer }
  /** The peer's answer to the SDP offer that it had asked for within the call; RFC 3261 §13.2.1 demands one. */
  | { type: 'offerAnswered'; body: Body | undefined }
  | { type: 'info'; body: Body }
  | { type: 'transfer'; transfer: ReferRequest }
  /** Sent once; no event follows. */
  | { type: 'ended'; ending: CallEndReason }

/** The peer wants to change the session: hold, resume, a new address. Without a body it wants an SDP offer from us. */
export interface RemoteOffer {
  readonly body: Body | undefined
  accept(body: Body | undefined): void
  refuse(status: number): void
}

/** The peer requests a transfer (REFER). */
export interface ReferRequest {
  readonly target: Uri
  readonly referredBy: string | undefined
  /** The dialog of another call with us that is to be joined with this one (attended transfer); see `hasDialog`. */
  readonly replaces: string | undefined
  accept(): void
  refuse(status: number): void
  /** The progress of the new call, as a SIP status; a final one is the last report. */
  report(status: number): void
}

/** Whom the peer is to call, when we send a REFER. */
export interface ReferTarget {
  /** A URI. */
  target: string
  /** As a header field. */
  referredBy?: string | undefined
}

export type OfferOutcome = { ok: true; body: Body | undefined } | { ok: false; status: number }

export interface SipCall {
  /** The Call-ID, for logs. */
  readonly id: string
  readonly isOver: boolean
  /** Whether a Replaces that names this dialog means this call. */
  hasDialog(dialog: string): boolean
  /** One listener only; it also gets earlier events. */
  listen(listener: (event: CallEvent) => void): void
  /**
   * Changes the session by re-INVITE. Retries after glare. The call is lost if the peer has not responded at all within
   * `firstResponseMs`, by default the 32 s of RFC 3261.
   */
  reinvite(body: Body | undefined, firstResponseMs?: number): Promise<OfferOutcome>
  /** Changes the session by UPDATE, which also works before the answer. */
  update(body: Body | undefined): Promise<OfferOutcome>
  /** Resolves to the status of the response. */
  info(body: Body): Promise<number>
  /** Sends a REFER. Resolves to the status of the response; reports may come before or after it. */
  refer(asked: ReferTarget, onReport: (status: number) => void): Promise<number>
  /** Ends the call in any state: cancels, refuses or hangs up. */
  hangUp(): void
}

export interface IncomingCall extends SipCall {
  readonly peer: Peer
  readonly from: Address
  readonly to: Address
  readonly uri: Uri
  /** The SDP offer, unless the caller leaves it to us. */
  readonly body: Body | undefined
  /** The dialog of the call that this one is to replace (RFC 3891); see `hasDialog`. It is one that we have. */
  readonly replaces: string | undefined
  /** For header fields that call control uses. */
  readonly request: SipRequest
  /** Whether its signalling is encrypted, so that nobody on the way can read keys in it. */
  readonly isSecure: boolean
  /** Of the peer's signalling. */
  readonly family: Family
  ring(): void
  /** Starts early media. */
  progress(body: Body): void
  accept(body: Body): void
  reject(status: number, headers?: Record<string, string>): void
}

export interface OutgoingCall extends SipCall {
  readonly isAnswered: boolean
  /** `elsewhere` tells a ringing phone that somebody else has answered. */
  hangUp(why?: 'elsewhere'): void
}
