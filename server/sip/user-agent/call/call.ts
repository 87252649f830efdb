import type { Address } from '../../message/grammar/address.ts'
import type { Uri } from '../../message/grammar/uri.ts'
import type { Body, SipRequest } from '../../message/message.ts'

/** Whose call it is: proved by address or by password. */
export type Peer = { kind: 'trunk'; trunk: string } | { kind: 'device'; username: string }

/** Why a call is over. */
export type Ending =
  | { why: 'hungUp'; by: 'us' | 'peer' }
  /** The caller gave up before anyone answered; or, as far as they say so, somebody else has. */
  | { why: 'cancelled'; elsewhere?: true }
  | { why: 'refused'; by: 'us' | 'peer'; status: number; reason: string }
  /** The peer no longer answers, or its connection is gone. */
  | { why: 'lost' }

export type CallEvent =
  /** It rings at the other end, without any sound from there. */
  | { type: 'ringing' }
  /** Sound from the other end before it answers. */
  | { type: 'progress'; status: number; body: Body }
  /** The other end has answered our call. */
  | { type: 'answered'; body: Body | undefined }
  /** The caller knows that we answered. The body is there when the caller left the offer to us. */
  | { type: 'connected'; body: Body | undefined }
  | { type: 'offer'; offer: RemoteOffer }
  | { type: 'info'; body: Body }
  | { type: 'transfer'; transfer: Transfer }
  /** Comes once, and nothing after it. */
  | { type: 'ended'; ending: Ending }

/** The peer wants to change the session: hold, resume, another address. Without a body, it wants an offer from us. */
export interface RemoteOffer {
  readonly body: Body | undefined
  accept(body: Body | undefined): void
  refuse(status: number): void
}

/** The peer wants us to call someone else in its place. */
export interface Transfer {
  readonly target: Uri
  readonly referredBy: string | undefined
  /** The id of another call of the peer with us, which it wants joined with this one (attended transfer). */
  readonly replaces: string | undefined
  accept(): void
  refuse(status: number): void
  /** How far the new call has come, as a SIP status; a final one ends the report. */
  report(status: number): void
}

/** Whom the peer is asked to call in our place. */
export interface Referred {
  /** A URI. */
  target: string
  /** As a header field. */
  referredBy?: string | undefined
}

export type OfferOutcome = { ok: true; body: Body | undefined } | { ok: false; status: number }

export interface Call {
  /** The Call-ID, for logs. */
  readonly id: string
  readonly isOver: boolean
  /** One listener; it is told what happened before it came. */
  listen(listener: (event: CallEvent) => void): void
  /** Changes the session by re-INVITE. Glare is waited out. */
  reinvite(body: Body | undefined): Promise<OfferOutcome>
  /** Changes the session by UPDATE, which also works before anyone answers. */
  update(body: Body | undefined): Promise<OfferOutcome>
  /** Resolves to the status of the answer. */
  info(body: Body): Promise<number>
  /** Asks the peer to call somebody else (REFER). Resolves to the status of its answer; reports may follow, or come first. */
  refer(asked: Referred, onReport: (status: number) => void): Promise<number>
  /** Ends the call, whatever its state: gives up, refuses or hangs up. */
  hangUp(): void
}

export interface IncomingCall extends Call {
  readonly peer: Peer
  readonly from: Address
  readonly to: Address
  readonly uri: Uri
  /** The offer, unless the caller leaves it to us. */
  readonly body: Body | undefined
  /** For the header fields that call control knows of. */
  readonly request: SipRequest
  ring(): void
  /** Sound before the answer. */
  progress(body: Body): void
  accept(body: Body): void
  reject(status: number, headers?: Record<string, string>): void
}

export interface OutgoingCall extends Call {
  readonly isAnswered: boolean
  /** Phones that ring are told when somebody else has taken the call. */
  hangUp(why?: 'elsewhere'): void
}
