import type { RunContext } from '../run-context.ts'
import { bridged, most, recorded } from './bridged.ts'
import { delay } from './delay.ts'
import { gap } from './gap.ts'
import { idle } from './idle.ts'
import { bellhopAlone, companySize, growth, inbound, inboundRecorded, reach } from './inbound.ts'
import { slow, statements } from './statements.ts'

/** What can be measured, by name. */
export const MODES: Record<string, (run: RunContext) => Promise<void>> = {
  inbound,
  'inbound-recorded': inboundRecorded,
  reach,
  'company-size': companySize,
  growth,
  delay,
  bridged,
  most,
  recorded,
  gap,
  idle,
  profile: (run) => bellhopAlone(run, 'profile'),
  slow,
  statements,
}
