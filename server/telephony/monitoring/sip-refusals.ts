import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { RefusalReason, ReportRefusal } from '../../sip/index.ts'
import { LimitedLog } from './limited-log.ts'
import type { EdgeMetrics } from './metrics.ts'

const MESSAGES: Record<RefusalReason, string> = {
  wrong_password: 'a SIP request was refused: the password is wrong, or the user does not exist',
  no_password: 'a SIP request was refused: it comes from an address of no trunk, and without a password',
  not_allowed: 'a registration was refused',
  not_supported: 'a call was refused: it needs something that is not supported',
  overloaded: 'a SIP request was refused: there are too many transactions',
  too_many_subscriptions: 'a subscription was refused: there are too many, of this phone or of all',
  blocked: 'a source is blocked: it sent too many wrong passwords',
  too_many_messages: 'messages of an unknown source are dropped: it sends too many',
  too_many_connections: 'a connection was refused: there are too many, of this source or of all',
}

/** Logs and counts what SIP refuses before a call begins. */
export function reportSipRefusals(
  { clock, log }: { clock: Clock; log: Log },
  metrics: EdgeMetrics,
): ReportRefusal {
  const limited = new LimitedLog(clock, log)
  return ({ why, ...details }) => {
    metrics.sipRefusals.inc({ why })
    limited.warn({ why, ...details }, MESSAGES[why])
  }
}
