import { numberOf } from '../message/fields.ts'
import type { Headers } from '../message/headers.ts'

/** RFC 4028: a call whose refreshes stop is over, even if its BYE was lost. In seconds, as on the wire. */
export const SESSION_EXPIRES_S = 1_800
export const MIN_SE_S = 90

export interface SessionTimer {
  seconds: number
  refresher: 'us' | 'them'
}

/** The header fields of our initial INVITE. */
export function timerRequestHeaders(seconds: number): Record<string, string> {
  return { 'session-expires': String(seconds), 'min-se': String(MIN_SE_S) }
}

/** §7.4: later requests name the current refresher, so that the roles stay the same. */
export function timerRefreshHeaders({ seconds, refresher }: SessionTimer): Record<string, string> {
  const role = refresher === 'us' ? 'uac' : 'uas'
  return { 'session-expires': `${seconds};refresher=${role}`, 'min-se': String(MIN_SE_S) }
}

export type TimerAgreement =
  | { agreed: SessionTimer | undefined; headers: Record<string, string> }
  /** §6: respond with 422 and our minimum. */
  | { tooSmall: true }

/** §9: what we agree to as UAS. If the peer supports timers but requests none, we refresh. */
export function negotiateTimerAsServer(headers: Headers): TimerAgreement {
  const asked = numberOf(headers, 'session-expires')
  const peerKnows = headers.names('supported', 'timer')
  if (asked !== undefined && asked < MIN_SE_S) return { tooSmall: true }
  if (!peerKnows) return { agreed: undefined, headers: {} }
  const least = numberOf(headers, 'min-se') ?? MIN_SE_S
  const seconds =
    asked === undefined ? SESSION_EXPIRES_S : Math.max(Math.min(asked, SESSION_EXPIRES_S), least)
  const wanted = /refresher\s*=\s*(uac|uas)/i.exec(headers.get('session-expires') ?? '')?.[1]?.toLowerCase()
  const refresher = wanted ?? (asked === undefined ? 'uas' : 'uac')
  return {
    agreed: { seconds, refresher: refresher === 'uas' ? 'us' : 'them' },
    headers: {
      'session-expires': `${seconds};refresher=${refresher}`,
      ...(refresher === 'uac' && { require: 'timer' }),
    },
  }
}

/** §7.2: what the response to our request says. Without Session-Expires, there is no timer. */
export function readTimerAsClient(headers: Headers): SessionTimer | undefined {
  const seconds = numberOf(headers, 'session-expires')
  if (seconds === undefined) return undefined
  const isUs = !/refresher\s*=\s*uas/i.test(headers.get('session-expires')!)
  return { seconds: Math.max(seconds, MIN_SE_S), refresher: isUs ? 'us' : 'them' }
}

/** §10: when the refresher refreshes, and when the other side considers the session expired. */
export function timerMs({ seconds, refresher }: SessionTimer): number {
  return (refresher === 'us' ? seconds / 2 : seconds - Math.min(32, seconds / 3)) * 1_000
}
