import type { LegId, MediaPort, Transport } from '../media/port.ts'
import type { DeviceEncryption } from '../modules/devices/index.ts'
import type { NumberCache, PromptCache } from '../modules/numbers/index.ts'
import type { Presence } from '../platform/async/presence.ts'
import type { Clock } from '../platform/clock.ts'
import type { Dependencies } from '../platform/dependencies.ts'
import type { Storage } from '../providers/storage/port.ts'
import type {
  DigestCredentials,
  Family,
  IncomingCall,
  InviteTarget,
  MessageTrace,
  ReferRequest,
  SipCall,
  UserAgent,
} from '../sip/index.ts'
import type { Synthesiser } from '../speech/port.ts'
import type { EdgeMetrics } from './monitoring/metrics.ts'
import type { CallRefusal } from './monitoring/refuse-call.ts'
import type { SpooledRecording } from './sound/spool.ts'
import type { CarrierTrunk } from './trunks/trunks.ts'

/** What the edge provides to call control. */
export interface EdgePort extends Dependencies<'db' | 'log' | 'tracer'> {
  edgeId: string
  ua: UserAgent
  media: MediaPort
  metrics: EdgeMetrics
  /** The SIP messages of calls. */
  trace: MessageTrace
  /** Where phones register: the host, and the port unless it is the default. */
  domain: { host: string; port?: number }
  /** For the rules of calls; a test moves it. */
  clock: Clock
  /** Of signalling and sound, and for waiting on the database and other programs. */
  realTime: Clock
  /** The share of the time, since it was asked last, in which the thread of the edge was busy: from 0 to 1. */
  utilisation(): number
  /** Of the companies that this process serves. */
  presence: Presence
  storage: Storage
  numbers: NumberCache
  prompts: PromptCache
  /** For a greeting that nobody has synthesised yet. */
  speaker: Pick<Synthesiser, 'speak'>
  /** The spool directory of this edge alone. */
  spoolDir: string
  /** Whether somebody speaks in a recording. */
  hasSpeech(file: string): Promise<boolean>
  /** Stores a recording later that could not be stored at once. */
  storeLater(sound: SpooledRecording, startedAt?: Date): void
  /** All routes to an employee's phones, at this edge and at others. */
  routesToEmployee(companyId: string, employeeId: string): Promise<PhoneRoute[]>
  /** The route to a participant of an internal call that another edge has; none if that edge is gone. */
  routesToInternalCall(internalCallId: string, edgeId: string): Promise<PhoneRoute[]>
  /** The employee's call in this dialog, if another edge has the call and this one relays it to their phone. */
  relayedCall(employeeId: string, dialog: string): EmployeeCall | undefined
  /** The phone of this employee asked for something: the calls that are relayed to it do not end before that is done. */
  keepRelayedDuring(employeeId: string, asking: Promise<unknown>): void
  /** Connects a phone with the edge that must handle what it dialled. Resolves with that edge's decision, or why not. */
  passOn(call: IncomingCall, to: CallElsewhere): Promise<CallRefusal | undefined>
  /** Remembers, and logs, that a phone refused encrypted media. */
  encryptionRefused(deviceId: string, status: number): void
  /** The owner of a device. */
  ownerOf(username: string): Promise<DeviceOwner | undefined>
  /** The trunk for a number, if there is one. */
  trunkFor(e164: string): CarrierTrunk | undefined
  /** All trunks, in the order in which they are configured. */
  trunks: CarrierTrunk[]
  /** The countries that may be called, as ISO 3166 codes; '*' means all. */
  allowedCountries: string[]
  /** The types of numbers that may be called, as libphonenumber names them; '*' means all. */
  allowedTypes: string[]
  /** How many calls a company may place in a minute. */
  outboundPerMinute: number
  /** Calls that this edge has at most. */
  callsMax: number
}

/** One route to a device. The credentials are for `ua.invite`. */
export interface PhoneRoute extends PhoneMedia {
  target: InviteTarget
  credentials?: DigestCredentials
  /** None if it leads to another edge's call, or to a carrier. */
  deviceId?: string
}

/** The media that a phone is offered. */
export interface PhoneMedia {
  transport: Transport
  /** Of the phone's signalling; not for browsers, which choose by ICE. */
  family?: Family
  /** The phone has no media without encryption. */
  isEncryptionRequired?: true
  /** Beside G.711. */
  opus?: true
}

/** A call that an employee has on a phone at this edge. */
export interface EmployeeCall {
  /** As X-Bellhop-Call has it: of a call with a customer, or of an internal one. */
  id: string
  /** Transfers its customer. Resolves when it is known whether that begins, at this edge or at the one that has the call. */
  transfer(asked: ReferRequest): Promise<void>
}

/** A call that another edge has, and that a phone of this one has dialled a code about. */
export interface CallElsewhere {
  /** Of the phone. */
  owner: DeviceOwner
  edgeId: string
  /** As X-Bellhop-Call has it. */
  id: string
}

export interface DeviceOwner {
  companyId: string
  employeeId: string
  deviceId: string
  encryption: DeviceEncryption
}

/** A participant of an internal call whom another edge takes over. */
interface CoworkerForEdge {
  employeeId: string
  ringing: {
    outcome: Promise<{ is: 'answered'; leg: LegForEdge } | { is: 'declined' | 'unreachable' | 'called_off' }>
    cancel(): void
  }
}

/** A leg that call control leaves to the relay. */
export interface LegForEdge {
  readonly call: SipCall
  readonly sound: LegId
  readonly isHeld: boolean
  readonly isOver: boolean
  release(): void
  hangUp(): void
}

/** What call control provides to the edge. */
export interface CallControl {
  /** Handles an INVITE from a carrier or a device. */
  handle(call: IncomingCall): void
  /** Carries out a command of the API on a live call. Resolves to the result, which must be JSON. */
  execute(companyId: string, callId: string, command: unknown): Promise<unknown>
  /** The offers of a call have changed. */
  offersChanged(companyId: string, callId: string): void
  /** The coworker whom this internal call rings is not to be rung any more. */
  stopRinging(callId: string): void
  /** Hangs up the phones of an employee who has been deleted, whatever they are in. */
  employeeDeleted(employeeId: string): void
  /** A phone requests that two of its calls be joined: `own`, in which it does so, and the one that the REFER names. */
  joinCalls(employeeId: string, own: EmployeeCall, asked: ReferRequest): void
  /** Another edge takes over the coworker with whom this employee has an internal call here. */
  releaseCoworker(internalCallId: string, employeeId: string): CoworkerForEdge | undefined
  /** The employees in calls. */
  employeesInCalls(): string[]
  /** Reads all offers again: notifications may have been missed, or this edge was wrongly reaped. */
  resync(): void
  liveCalls(): number
  /** Resolves when no call is left. */
  drained(): Promise<void>
  /** Ends the remaining calls. */
  stop(): Promise<void>
}

export type CreateCallControl = (edge: EdgePort) => CallControl
