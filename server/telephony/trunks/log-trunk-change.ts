import type { Log } from '../../platform/log.ts'
import type { TrunkChange } from '../../sip/index.ts'

/** One line for each change of a carrier's state. */
export function logTrunkChange(log: Log, change: TrunkChange): void {
  if ('host' in change) {
    const { isUp, ...about } = change
    if (isUp) log.info(about, 'a host of a carrier responds again')
    else log.warn(about, 'a host of a carrier does not respond to OPTIONS')
    return
  }
  const { trunk, registration } = change
  switch (registration.in) {
    case 'registering':
      return
    case 'registered':
      return log.info({ trunk, until: registration.until }, 'registered with a carrier')
    case 'failed': {
      const { status } = registration
      const why = status === undefined ? 'the carrier does not respond' : 'the carrier refused it'
      log.warn({ trunk, status, why }, 'the registration with a carrier failed and will be retried')
    }
  }
}
