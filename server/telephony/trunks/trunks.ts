import type { Transport } from '../../media/port.ts'
import type { TrunkConfig } from '../../sip/index.ts'

/** A trunk with the settings that call control needs. */
export interface CarrierTrunk extends TrunkConfig {
  /** The media that it is offered. */
  transport: Exclude<Transport, 'webrtc'>
  /** There are no calls without encryption, in either direction. */
  isEncryptionRequired?: boolean
  /** The number prefixes it is for; without, it is for all numbers. */
  prefixes?: string[]
}

/** The trunk with the longest matching prefix; of several, the first that is configured. */
export function chooseTrunk(carriers: CarrierTrunk[], e164: string): CarrierTrunk | undefined {
  const fitting = carriers.flatMap((trunk) =>
    (trunk.prefixes ?? ['+'])
      .filter((prefix) => e164.startsWith(prefix))
      .map(({ length }) => ({ trunk, length })),
  )
  return fitting.toSorted((a, b) => b.length - a.length)[0]?.trunk
}
