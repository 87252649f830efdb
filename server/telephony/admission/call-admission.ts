import type { IncomingCall } from '../../sip/index.ts'
import { CALL_ADMISSION, TELEPHONY_LIMITS } from '../limits.ts'
import { LimitedLog } from '../monitoring/limited-log.ts'
import { refuseCall } from '../monitoring/refuse-call.ts'
import type { EdgePort } from '../port.ts'
import { type Admission, createAdmission } from './admission.ts'
import type { WritesOfCompanies } from './company-writes.ts'

export interface CallAdmission extends Pick<Admission, 'close'> {
  /** Undefined if the call of this company may begin at once; otherwise whether it may after a while, or was refused. */
  enter(companyId: string, call: IncomingCall): Promise<boolean> | undefined
}

interface LiveCalls {
  readonly size: number
  companies(): Iterable<string>
  countOf(companyId: string): number
}

/**
 * Holds up the calls of carriers that would make those of other companies slow, and refuses them in the end. Refuses at
 * once those that would leave no place to other companies.
 */
export function createCallAdmission(
  edge: EdgePort,
  live: LiveCalls,
  writes: Pick<WritesOfCompanies, 'isAnyWaiting'>,
): CallAdmission {
  const { realTime, metrics, db } = edge
  const log = new LimitedLog(realTime, edge.log)
  const { enter, close } = createAdmission({
    clock: realTime,
    limits: CALL_ADMISSION,
    utilisation: () => {
      const utilisation = edge.utilisation()
      // What waits to be written makes calls slow however idle this thread is.
      const isFull = live.size >= edge.callsMax || db.countIdle() === 0 || writes.isAnyWaiting()
      return isFull ? 1 : utilisation
    },
    liveCompanies: () => live.companies(),
  })
  const refuse = (companyId: string, call: IncomingCall, why: string) =>
    refuseCall({ log, metrics }, call, {
      status: 503,
      why,
      details: { company: companyId },
      headers: { 'retry-after': RETRY_AFTER_SECONDS },
    })

  /** Calls may last for hours, so places that are taken cannot be given to others when they come. */
  function isPlaceReserved(companyId: string): boolean {
    const reserved = edge.callsMax * TELEPHONY_LIMITS.callsReserved
    return live.size >= edge.callsMax - reserved && live.countOf(companyId) >= reserved
  }

  return {
    close,
    enter(companyId, call) {
      edge.presence.note(companyId, realTime.now().getTime())
      if (isEmergencyCallback(call)) return undefined
      if (isPlaceReserved(companyId)) {
        refuse(companyId, call, 'this edge is almost full, and the company has many of its calls')
        return Promise.resolve(false)
      }
      const held = enter(companyId, call)
      if (!held) return undefined
      metrics.callsHeld.inc()
      return held.then((mayBegin) => {
        if (!mayBegin)
          refuse(
            companyId,
            call,
            'the company has far more new calls than others, and this edge has no time for them',
          )
        return mayBegin
      })
    },
  }
}

/** RFC 7090: an emergency service calls back somebody who has called it. */
const isEmergencyCallback = ({ request }: IncomingCall) =>
  request.headers.get('priority')?.trim().toLowerCase() === 'psap-callback'

const RETRY_AFTER_SECONDS = '5'
