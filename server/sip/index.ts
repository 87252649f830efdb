/** SIP (RFC 3261) as a library: it knows calls, phones and carriers, but no companies, no database and no media. */
export type { Credentials } from './auth/digest.ts'
export { type Chance, systemChance } from './chance.ts'
export { LIMITS } from './limits.ts'
export { type Address, parseAddress, printAddress } from './message/grammar/address.ts'
export { type SipUri, type Uri, isSipUri, parseUri, printUri } from './message/grammar/uri.ts'
export { type Body, bodyText, sdpBody } from './message/message.ts'
export { type Binding, type Bindings, MemoryBindings } from './registrar/bindings.ts'
export type { RegistrationChange } from './registrar/registrar.ts'
export type { Endpoint, Protocol } from './transport/flow.ts'
export type { Dns } from './transport/resolve.ts'
export type { ListenAt } from './transport/transports.ts'
export type { TrunkConfig } from './trunk/config.ts'
export { type NumberFormat, readNumber, writeNumber } from './trunk/number-format.ts'
export type { TrunkChange } from './trunk/trunk.ts'
export type {
  Call,
  CallEvent,
  Ending,
  IncomingCall,
  OfferOutcome,
  OutgoingCall,
  Peer,
  Referred,
  RemoteOffer,
  Transfer,
} from './user-agent/call/call.ts'
export type { Accounts } from './user-agent/gatekeeper.ts'
export type { InviteOptions } from './user-agent/call/outgoing-call.ts'
export { type Target, UserAgent, type UserAgentOptions } from './user-agent/user-agent.ts'
