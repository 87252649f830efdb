export type RefusalReason =
  /** A wrong password, or a user that does not exist. */
  | 'wrong_password'
  /** A request that was challenged and not repeated with a password, from an address that is none of a trunk. */
  | 'no_password'
  /** A registration for another user, or of a carrier. */
  | 'not_allowed'
  /** A call that needs something we do not support. */
  | 'not_supported'
  /** There are too many transactions. */
  | 'overloaded'
  /** A phone has too many subscriptions, or all phones together have. */
  | 'too_many_subscriptions'
  /** A source that guessed passwords is ignored from now on. */
  | 'blocked'
  | 'too_many_messages'
  | 'too_many_connections'

/** A request or source that was refused before any call began, for the operator. */
export interface SipRefusal {
  why: RefusalReason
  /** The address of the peer. */
  source: string
  method?: string
  /** As claimed. */
  username?: string
  status?: number
  /** The Call-ID. */
  sipCallId?: string
}

export type ReportRefusal = (refusal: SipRefusal) => void
