import type { Log } from '../../platform/log.ts'
import type { IncomingCall, Peer } from '../../sip/index.ts'
import { PEER_EDGES } from '../edge/peer-edges.ts'
import type { LimitedLog } from './limited-log.ts'
import type { EdgeMetrics } from './metrics.ts'

export interface CallRefusal {
  status: number
  /** For the operator: one sentence without names and numbers of people. */
  why: string
  /** What else helps to find the cause. */
  details?: Record<string, unknown>
  headers?: Record<string, string>
  /** A call to a coworker, who is often busy or away: that is no reason to warn anybody. */
  isInternal?: true
}

/** Refuses a call, with one line in the log that says why. */
export function refuseCall(
  { log, metrics }: { log: Log | LimitedLog; metrics: EdgeMetrics },
  call: IncomingCall,
  { status, why, details = {}, headers, isInternal }: CallRefusal,
): void {
  // The caller may have hung up meanwhile.
  if (!call.isOver) {
    const direction = isInternal ? 'internal' : directionOf(call.peer)
    const level = isInternal ? 'info' : 'warn'
    log[level]({ status, why, ...namePeer(call.peer), sipCallId: call.id, ...details }, REFUSED[direction])
    metrics.callsRefused.inc({ direction, status })
  }
  call.reject(status, headers)
}

const REFUSED = {
  inbound: 'an inbound call was refused',
  outbound: 'an outbound call was refused',
  internal: 'a call to a coworker was refused',
  relayed: 'a call of another edge was refused',
}

/** A call of another edge is in its metrics as inbound or outbound; here it only reaches a phone. */
const directionOf = (peer: Peer) =>
  peer.kind === 'device' ? 'outbound' : peer.trunk === PEER_EDGES ? 'relayed' : 'inbound'

const namePeer = (peer: Peer) => (peer.kind === 'trunk' ? { trunk: peer.trunk } : { username: peer.username })

/** A number as the log shows those with a country code: enough to see how a carrier writes it, and not whose it is. */
export const maskedNumber = (digits: string) =>
  digits.length < 6 ? digits : `${digits.slice(0, digits.startsWith('+') ? 3 : 2)}…${digits.slice(-2)}`
