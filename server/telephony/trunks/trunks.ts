import type { Transport } from '../../media/port.ts'
import type { TrunkConfig } from '../../sip/index.ts'
import type { TrunkChoice } from '../port.ts'

/** A trunk with the settings that call control needs. */
export interface CarrierTrunk extends TrunkConfig {
  transport: Transport
  /** The number prefixes it is for; without, it is for all numbers. */
  prefixes?: string[]
}

/** The trunk with the longest matching prefix; of several, the first that is configured. */
export function chooseTrunk(carriers: CarrierTrunk[], e164: string): TrunkChoice | undefined {
  const fitting = carriers.flatMap(({ name, transport, prefixes = ['+'] }) =>
    prefixes.filter((prefix) => e164.startsWith(prefix)).map(({ length }) => ({ name, transport, length })),
  )
  const [best] = fitting.toSorted((a, b) => b.length - a.length)
  return best && { name: best.name, transport: best.transport }
}
