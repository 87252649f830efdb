export interface OutgoingText {
  /** Both E.164. */
  from: string
  to: string
  text: string
  /** The URL for delivery reports. */
  statusUrl: string
}

export type SendOutcome =
  | { is: 'accepted'; providerMessageId: string; parts: number | null }
  /** Definitely not sent. The failure code is ours, or the provider's name and number, never its text. */
  | { is: 'refused'; error: 'provider_rejected' | 'sending_unavailable'; failureCode: string }
  /** There was no response in time: it may have been sent. */
  | { is: 'unknown' }

/** A request that claims to come from the provider. */
export interface SignedRequest {
  /** As the provider requested it, with the query. */
  url: string
  /** By lower-case names. */
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

export interface IncomingText {
  kind: 'text'
  providerMessageId: string
  from: string
  to: string
  text: string
  receivedAt: Date | null
  parts: number | null
}

export interface DeliveryReport {
  kind: 'report'
  providerMessageId: string
  from: string
  to: string
  status: 'accepted' | 'delivered' | 'failed' | 'unknown'
  failureCode: string | null
  /** When it happened. */
  at: Date | null
  parts: number | null
}

export type Callback = IncomingText | DeliveryReport | { kind: 'other' } | { kind: 'malformed' }

export const SMS_PROVIDERS = ['simulator', 'telnyx', 'twilio'] as const
export type SmsProviderName = (typeof SMS_PROVIDERS)[number]

export interface SmsProvider {
  name: SmsProviderName
  /** Sends one request. Never rejects: not knowing is an outcome too. */
  send(text: OutgoingText): Promise<SendOutcome>
  /** Undefined if the signature is not valid. */
  readCallback(request: SignedRequest): Callback | undefined
  close(): Promise<void>
}

/** Incoming texts may come from a short code or a name instead of a phone number. */
export const ADDRESS_CHARACTERS_MAX = 32
