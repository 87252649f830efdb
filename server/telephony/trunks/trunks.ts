import type { Transport } from '../../media/port.ts'
import type { TrunkConfig } from '../../sip/index.ts'
import type { TrunkChoice } from '../port.ts'

/** A carrier, and what call control must know of it. */
export interface Carrier extends TrunkConfig {
  transport: Transport
  /** The numbers it is for, by how they begin; without, it is for all. */
  prefixes?: string[]
}

/** The carrier whose prefix says most about the number; of several alike, the first that is configured. */
export function chooseTrunk(carriers: Carrier[], e164: string): TrunkChoice | undefined {
  const fitting = carriers.flatMap(({ name, transport, prefixes = ['+'] }) =>
    prefixes.filter((prefix) => e164.startsWith(prefix)).map(({ length }) => ({ name, transport, length })),
  )
  const [best] = fitting.toSorted((a, b) => b.length - a.length)
  return best && { name: best.name, transport: best.transport }
}
