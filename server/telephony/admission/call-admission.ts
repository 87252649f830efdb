import type { IncomingCall } from '../../sip/index.ts'
import { CALL_ADMISSION, TELEPHONY_LIMITS } from '../limits.ts'
import { LimitedLog } from '../monitoring/limited-log.ts'
import { refuseCall } from '../monitoring/refuse-call.ts'
import type { EdgePort } from '../port.ts'
import { type Admission, createAdmission } from './admission.ts'

export interface CallAdmission extends Pick<Admission, 'close'> {
  /** Undefined if the call of this company may begin at once; otherwise whether it may after a while, or was refused. */
  enter(companyId: string, call: IncomingCall): Promise<boolean> | undefined
}

interface LiveCalls {
  readonly size: number
  companies(): Iterable<string>
}

/** Holds up the calls of carriers that would make those of other companies slow, and refuses them in the end. */
export function createCallAdmission(edge: EdgePort, live: LiveCalls): CallAdmission {
  const { realTime, metrics, db } = edge
  const log = new LimitedLog(realTime, edge.log)
  const { enter, close } = createAdmission({
    clock: realTime,
    limits: CALL_ADMISSION,
    utilisation: () => {
      const utilisation = edge.utilisation()
      // Without a connection to PostgreSQL, calls wait for each other however idle this thread is.
      const isFull = live.size >= TELEPHONY_LIMITS.callsMax || db.countIdle() === 0
      return isFull ? 1 : utilisation
    },
    liveCompanies: () => live.companies(),
  })
  return {
    close,
    enter(companyId, call) {
      if (isEmergencyCallback(call)) return undefined
      const held = enter(companyId, call)
      if (!held) return undefined
      metrics.callsHeld.inc()
      return held.then((mayBegin) => {
        if (!mayBegin)
          refuseCall({ log, metrics }, call, {
            status: 503,
            why: 'this edge is overloaded, and the company has far more new calls than others',
            details: { company: companyId },
            headers: { 'retry-after': RETRY_AFTER_SECONDS },
          })
        return mayBegin
      })
    },
  }
}

/** RFC 7090: an emergency service calls back somebody who has called it. */
const isEmergencyCallback = ({ request }: IncomingCall) =>
  request.headers.get('priority')?.trim().toLowerCase() === 'psap-callback'

const RETRY_AFTER_SECONDS = '5'
