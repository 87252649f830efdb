import JsSIP from 'jssip'
import type { EndEvent } from 'jssip/lib/RTCSession.js'

import type { EndReason } from './state.ts'

/** Why a call ended, from what JsSIP reports. */
export function reasonOf({ cause, originator, message }: EndEvent): EndReason {
  const { causes } = JsSIP.C
  const told = message && 'getHeader' in message ? (message.getHeader('Reason') ?? '') : ''
  if (/cause=200\b/.test(told)) return 'elsewhere'
  switch (cause) {
    case causes.BUSY:
      return 'busy'
    case causes.NO_ANSWER:
    case causes.UNAVAILABLE:
    case causes.REQUEST_TIMEOUT:
      return 'not_answered'
    case causes.BYE:
    case causes.CANCELED:
      return 'hung_up'
    case causes.CONNECTION_ERROR:
      return 'connection'
    case causes.RTP_TIMEOUT:
      return 'no_sound'
    case causes.REJECTED:
      return originator === 'local' ? 'hung_up' : 'refused'
    case causes.NOT_FOUND:
    case causes.ADDRESS_INCOMPLETE:
      return 'unreachable'
    default:
      return 'refused'
  }
}

/** The edge no longer has the call: it ended, or went on without this phone, while the page was loading. */
export function whyNotRejoined(event: EndEvent): EndReason {
  const why = reasonOf(event)
  return why === 'unreachable' ? 'hung_up' : why
}
