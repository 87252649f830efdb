import type { Headers } from './headers.ts'

export interface SipRequest {
  kind: 'request'
  method: string
  /** The Request-URI, unparsed. */
  uri: string
  headers: Headers
  body: Buffer
}

export interface SipResponse {
  kind: 'response'
  status: number
  reason: string
  headers: Headers
  body: Buffer
}

export type SipMessage = SipRequest | SipResponse

/** A body is bytes with a content type; this library never looks inside. */
export interface Body {
  contentType: string
  bytes: Buffer
}

export const sdpBody = (sdp: string): Body => ({ contentType: 'application/sdp', bytes: Buffer.from(sdp) })
export const bodyText = ({ bytes }: Body): string => bytes.toString()

export const NO_BODY = Buffer.alloc(0)
