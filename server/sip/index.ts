/** SIP (RFC 3261) as a library: it knows calls, phones and carriers, but no companies, no database and no media. */
export type { DigestCredentials } from './auth/digest.ts'
export type { RefusalReason, ReportRefusal, SipRefusal } from './refusal.ts'
export { type Random, systemRandom } from './random.ts'
export { SIP_LIMITS } from './limits.ts'
export { type Address, parseAddress, printAddress } from './message/grammar/address.ts'
export { type SipUri, type Uri, isSipUri, parseUri, printUri } from './message/grammar/uri.ts'
export { type Body, bodyText, sdpBody } from './message/message.ts'
export { type Binding, type Bindings, MemoryBindings } from './registrar/bindings.ts'
export type { RegistrationChange } from './registrar/registrar.ts'
export type { EventPackages, SubscriptionRequest } from './subscription/notifier.ts'
export type { EventState, SipSubscription } from './subscription/subscription.ts'
export { MessageTrace } from './trace/message-trace.ts'
export type { TracedMessage } from './trace/trace-ring.ts'
export { type Family, family, type Protocol, type TransportAddress } from './transport/flow.ts'
export type { Dns } from './transport/resolve.ts'
export type { ListenAt } from './transport/transports.ts'
export { type CallerId, identify } from './trunk/caller-identity.ts'
export type { TrunkConfig } from './trunk/config.ts'
export { formatNumber, type NumberFormat, parseNumber } from './trunk/number-format.ts'
export type { RegistrationQuery } from './trunk/query-registration.ts'
export type { RegistrationState } from './trunk/registration.ts'
export type { TrunkChange, TrunkState } from './trunk/trunk.ts'
export type {
  CallEndReason,
  CallEvent,
  IncomingCall,
  OfferOutcome,
  OutgoingCall,
  Peer,
  ReferRequest,
  ReferTarget,
  RemoteOffer,
  SipCall,
} from './user-agent/call/call.ts'
export { CallEventBuffer } from './user-agent/events.ts'
export type { DevicePasswords } from './user-agent/peer-authenticator.ts'
export type { InviteOptions } from './user-agent/call/outgoing-call.ts'
export { type InviteTarget, UserAgent, type UserAgentOptions } from './user-agent/user-agent.ts'
