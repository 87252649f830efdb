import type { LiveRecordingState } from '../../modules/calls/index.ts'
import { type ControlParts, type CustomerCall } from '../call/customer-call.ts'
import type { Leg } from '../call/leg.ts'
import { TELEPHONY_LIMITS } from '../limits.ts'
import { type Ringing, ringEmployee } from '../ring/ringing.ts'
import type { RunningRecording } from '../sound/media-operations.ts'
import type { EmployeeLeg } from './employee-leg.ts'
import type { CustomerAudio } from './hold.ts'
import type { Parking } from './parking/parking.ts'
import type { SerialQueue } from './serial-queue.ts'
import type { RunningOutsideTransfer, RunningTransfer } from './transfer/running-transfer.ts'

export type ConversationEnd = 'customer_hung_up' | 'employee_hung_up' | 'outside_hung_up' | 'not_retrieved'

type Phase =
  | {
      is: 'talking'
      /** When the controller's phone was notified that its transfer failed. */
      failedAt?: Date
    }
  | { is: 'transferring'; transfer: RunningTransfer }
  /** Nobody took the call from a controller who has hung up: their phones ring again. */
  | { is: 'recalling'; ringing: Ringing }
  | { is: 'calling_outside'; transfer: RunningOutsideTransfer }
  /** The customer was transferred out of the company: the controller has left. */
  | { is: 'outside'; leg: Leg }
  /** The controller has left, and anybody may take the call. */
  | { is: 'parked'; parking: Parking }
  | { is: 'over' }

/** The recording of a conversation. It stays paused through transfers, until somebody resumes it. */
interface ConversationRecording {
  running: RunningRecording
  startedAt: Date
  state: LiveRecordingState
}

/** The state of a conversation. Only one step at a time changes it. */
export interface ConversationState {
  readonly parts: ControlParts
  readonly call: CustomerCall
  readonly turns: SerialQueue
  readonly sound: CustomerAudio
  controller: EmployeeLeg
  /** Undefined while the conversation is not recorded. */
  recording: ConversationRecording | undefined
  now: Phase
  /** A phone requested a transfer, and the rules are being checked. */
  asking: Promise<void> | undefined
  /** Starts to handle what the employee does on their phone. */
  watch(party: EmployeeLeg): void
  /** Ends the conversation; no step follows. */
  end(why: ConversationEnd): void
}

export const transferOf = ({ now }: ConversationState): RunningTransfer | undefined =>
  now.is === 'transferring' ? now.transfer : undefined

/** The employee's part in the call, unless they have hung up. */
export function employeeLegOf(state: ConversationState, employeeId: string): EmployeeLeg | undefined {
  const parties = [state.controller, transferOf(state)?.target]
  return parties.find((party) => party?.employeeId === employeeId && !party.leg.isOver)
}

/** The employees in the call, and the one who is rung for it. */
export function employeesOf(state: ConversationState): string[] {
  if (state.now.is === 'outside') return []
  if (state.now.is === 'parked') return state.now.parking.rung ? [state.now.parking.rung.employeeId] : []
  const transfer = transferOf(state)
  return [state.controller.employeeId, ...(transfer ? [transfer.toEmployeeId] : [])]
}

/** Rings an employee who is to get the customer. */
export function ringForCall({ parts, call }: ConversationState, employeeId: string): Ringing {
  const { companyId } = call.ref
  const options = { ringMs: TELEPHONY_LIMITS.transferRingMs, near: call.customer.sound }
  return ringEmployee(parts.edge, { companyId, employeeId }, call.ringDisplay, options)
}
