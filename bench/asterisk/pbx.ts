import type { PhoneSystem } from '../calls/phone-system.ts'
import type { Memory } from './processes.ts'

/** Bellhop or Asterisk, with the same numbers, phones and carrier. */
export interface Pbx extends Pick<PhoneSystem, 'sipPort' | 'numbers' | 'dial' | 'onTaken'> {
  name: 'bellhop' | 'asterisk'
  /** CPU time so far of the PBX, and of the PostgreSQL that it writes to. */
  cpuMs(): { own: number; postgres: number }
  memory(): { own: Memory; postgres: Memory }
  /** Whether the next calls are recorded. */
  record(on: boolean): Promise<void>
  close(): Promise<void>
}

export const FIRST_NUMBER = 31_000_000
export const numberOf = (line: number) => `+45${FIRST_NUMBER + line}`
