import type { MediaPort, Transport } from '../media/port.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/database.ts'
import type { Log } from '../platform/log.ts'
import type { Storage } from '../providers/storage/port.ts'
import type { Credentials, IncomingCall, Target, UserAgent } from '../sip/index.ts'
import type { Spooled } from './sound/spool.ts'

/** What call control stands on: the edge, seen from above. */
export interface Exchange {
  edgeId: string
  ua: UserAgent
  media: MediaPort
  db: Database
  /** For the rules of calls; a test moves it. */
  clock: Clock
  /** Of signalling and sound, and for waiting on the database and other programs. */
  realTime: Clock
  log: Log
  storage: Storage
  /** A folder of this edge alone, for sound that is still being written. */
  spoolDir: string
  /** Sound that could not be kept at once. */
  keepLater(sound: Spooled, startedAt?: Date): void
  /** All the ways to ring an employee, on this edge and on others. */
  waysTo(companyId: string, employeeId: string): Promise<Way[]>
  /** Who a registered device belongs to. */
  ownerOf(username: string): Promise<DeviceOwner | undefined>
  /** The carrier for a number; undefined when there is none. */
  trunkFor(e164: string): TrunkChoice | undefined
  /** Where calls may be placed to, as codes of ISO 3166; '*' is everywhere. */
  allowedCountries: string[]
  /** How many calls a company may place in a minute. */
  outboundPerMinute: number
}

/** One way to ring a device. The credentials go into the options of `ua.invite`. */
export interface Way {
  target: Target
  transport: 'rtp' | 'webrtc'
  credentials?: Credentials
  deviceId: string
}

export interface DeviceOwner {
  companyId: string
  employeeId: string
  deviceId: string
}

export interface TrunkChoice {
  name: string
  transport: Transport
}

/** What call control gives to the edge. */
export interface CallControl {
  /** An INVITE of a carrier or a device. */
  take(call: IncomingCall): void
  /** What the API asks of a live call; resolves to the answer, which must be fit for JSON. */
  carryOut(companyId: string, callId: string, command: unknown): Promise<unknown>
  /** The offers of a call have changed. */
  noticed(companyId: string, callId: string): void
  /** Notices may have been missed, or this edge was taken for dead for a while. */
  lookAgain(): void
  liveCalls(): number
  /** Resolves when no call is left. */
  drained(): Promise<void>
  /** Ends what is left. */
  stop(): Promise<void>
}

export type CreateCallControl = (exchange: Exchange) => CallControl
