import type { ControlParts } from '../call/customer-call.ts'
import type { EdgeCalls } from '../call/edge-calls.ts'
import type { Leg } from '../call/leg.ts'
import type { DeviceOwner } from '../port.ts'

/** Where a code is handled, and who dialled it. */
export interface CodeParts {
  parts: ControlParts
  live: EdgeCalls
  owner: DeviceOwner
}

/** The call that a code is about. */
export interface CodeCall {
  /** As X-Bellhop-Call has it. */
  id: string
  edgeId: string
  /** At that edge. */
  run(phone: DiallingPhone): Promise<CodeRefusal | undefined>
}

/** A phone that has dialled a code, and is not answered yet. */
export interface DiallingPhone {
  leg: Leg
  accept(): void
}

export interface CodeRefusal {
  status: number
  why: string
}

export const ON_A_CALL: CodeRefusal = { status: 486, why: 'you are on a call' }
