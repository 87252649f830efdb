import { inBackground } from '../../platform/background.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { LegId, MediaEvent } from '../port.ts'
import type { Instance } from './control/instances.ts'
import type { LegGroup } from './leg-group.ts'
import { RTPENGINE_LIMITS } from './limits.ts'

interface LostCallsParts {
  groups: ReadonlyMap<LegId, LegGroup>
  clock: Clock
  log: Log
  emit(event: MediaEvent): void
}

/**
 * Calls whose instance is gone. Signalling finds out whether a leg that is quiet is still there by a re-INVITE, whose
 * offer has an address at another instance.
 */
export function createLostCalls({ groups, clock, log, emit }: LostCallsParts) {
  const groupsOn = (instance: Instance): LegGroup[] =>
    [...new Set(groups.values())].filter(({ call }) => call?.instance === instance)

  function lose(group: LegGroup): void {
    const instance = group.call?.instance
    group.call = undefined
    for (const leg of group.legs) {
      if (!leg.end) continue
      log.warn({ leg: leg.id }, 'a leg lost its instance of rtpengine')
      if (instance) instance.legs--
      leg.end = leg.peer = leg.outsideSdp = undefined
      if (leg.session) emit({ on: 'leg.quiet', leg: leg.id, quietMs: 0 })
    }
  }

  return {
    lose,
    /** It was silent for some time, and may have its calls still. */
    onBack(instance: Instance, silentMs: number): void {
      const isDeaf = silentMs >= RTPENGINE_LIMITS.deafAfterMs
      for (const group of groupsOn(instance)) {
        const { call } = group
        if (!call || !(isDeaf || call.isUncertain())) continue
        lose(group)
        // Else those who have moved would still hear the others from there, with the old keys.
        inBackground(log, 'end a call at rtpengine', call.end())
      }
    },
    onLost: (instance: Instance): void => groupsOn(instance).forEach(lose),
    /** An instance that was started anew replies, but does not have the calls any more. */
    async onAlive(instance: Instance): Promise<void> {
      const all = groupsOn(instance)
      const sample = all[Math.floor((clock.now().getTime() / RTPENGINE_LIMITS.checkEveryMs) % all.length)]
      if (!sample || (await sample.call?.arrivals())) return
      for (const group of groupsOn(instance)) {
        const { call } = group
        if (call && !(await call.arrivals()) && group.call === call) lose(group)
      }
    },
  }
}
