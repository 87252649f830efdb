import {
  type AnsweredCall,
  type LiveRecordingState,
  recordingStateChanged,
  setCallState,
} from '../../modules/calls/index.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { ControlParts, CustomerCall } from '../call/customer-call.ts'
import type { Leg } from '../call/leg.ts'
import type { EmployeeCall } from '../port.ts'
import { announceRecording, mayRecord, noticeOf } from '../sound/recording-announcement.ts'
import {
  type ConversationEnd,
  type ConversationState,
  employeeLegOf,
  employeesOf,
  transferOf,
} from './conversation-state.ts'
import type { EmployeeLeg } from './employee-leg.ts'
import { endConversation, failConversation, logWriteFailure } from './ending.ts'
import { dismissEmployee, keepDuring } from './hang-up.ts'
import { CustomerAudio } from './hold.ts'
import { parkCustomer, ringForParked, takeParked } from './parking/park.ts'
import { callOf, handlePhoneEvents, type OutsideOutcome, requestOutsideTransfer } from './phone-events.ts'
import { keepRecording, pauseOrResume, startRecording } from './recording.ts'
import { replaceLeg } from './rejoin.ts'
import { SerialQueue } from './serial-queue.ts'
import { beginConference, mergeTaken, type OpenedMerge, takeConsulted } from './transfer/conference.ts'
import { cancelCallOutside } from './transfer/outside-transfer.ts'
import {
  beginTransfer,
  cancelRunningTransfer,
  completeRunningTransfer,
  pickUpTransfer,
} from './transfer/transfer.ts'

interface WantedTransfer {
  transferId: string
  toEmployeeId: string
  isBlind?: boolean | undefined
}

type StoreAnswer = (tx: Tx, how: Pick<AnsweredCall, 'state' | 'recording'>) => Promise<void>

/** A customer talks to an employee, and may be transferred to another. */
export class Conversation {
  readonly over: Promise<ConversationEnd>
  readonly #state: ConversationState

  constructor(parts: ControlParts, call: CustomerCall, first: EmployeeLeg) {
    let end!: (why: ConversationEnd) => void
    this.over = new Promise((resolve) => (end = resolve))
    const state: ConversationState = {
      parts,
      call,
      turns: new SerialQueue(parts.store, {
        turnFailed: (err) => failConversation(state, err),
        writingFailed: (err) => logWriteFailure(state, err),
      }),
      sound: new CustomerAudio(parts, call.customer),
      controller: first,
      recording: undefined,
      now: { is: 'talking' },
      asking: undefined,
      watch: (party) => handlePhoneEvents(state, party),
      end,
    }
    this.#state = state
  }

  /** Runs `answered` before any other write. */
  begin(answered: StoreAnswer): void {
    const { turns, sound, call, controller } = this.#state
    turns.startAfter(call.customer.ended, () => endConversation(this.#state, 'customer_hung_up'))
    this.#state.watch(controller)
    turns.start(async () => {
      const isAnnouncedNow = await this.#announce(answered)
      if (mayRecord(call)) await startRecording(this.#state)
      await sound.join(controller.leg)
      const { recording } = this.#state
      if (isAnnouncedNow)
        turns.write(async (tx) => {
          await Promise.all([
            recording && recordingStateChanged(tx, call.ref, recording.state),
            setCallState(tx, call.ref, 'bridged'),
          ])
        })
      else {
        const how = { state: 'bridged', recording: recording?.state ?? 'off' } as const
        turns.write((tx) => answered(tx, how), 'step')
      }
    })
  }

  /** A caller has been told before they were queued. Whoever is called is told now, and the employee hears it too. */
  async #announce(answered: StoreAnswer): Promise<boolean> {
    const { parts, call, turns, controller } = this.#state
    if (call.direction === 'inbound' || noticeOf(call) !== 'announcement') return false
    turns.write((tx) => answered(tx, { state: 'answered', recording: 'off' }))
    await announceRecording(parts, call, [call.customer, controller.leg])
    return true
  }

  /** Returns the state that the recording has then. */
  async setRecordingPaused(isPaused: boolean): Promise<LiveRecordingState> {
    const recordingState = await this.#state.turns.take(() => pauseOrResume(this.#state, isPaused))
    await this.#state.turns.written
    return recordingState
  }

  /** Stops the recording, if there is one, and stores it. */
  keepRecording(): Promise<void> {
    return keepRecording(this.#state)
  }

  /** False if there is nothing to transfer. */
  startTransfer({ transferId, toEmployeeId, isBlind = false }: WantedTransfer): Promise<boolean> {
    return this.#ask(() => beginTransfer(this.#state, transferId, toEmployeeId, { isBlind }))
  }

  /** The id of the outside transfer, or the status with which the request of a phone would be refused. */
  async startOutsideTransfer(employeeId: string, number: string): Promise<OutsideOutcome> {
    const outcome = await requestOutsideTransfer(this.#state, employeeId, number)
    await this.#state.turns.written
    return outcome
  }

  /** False if somebody has answered, or it is over. */
  cancelOutsideTransfer(id: string): Promise<boolean> {
    return this.#ask(() => cancelCallOutside(this.#state, id))
  }

  /** False if nobody has answered the transfer, or it is over. */
  completeTransfer(id: string): Promise<boolean> {
    return this.#ask(async () => {
      const transfer = transferOf(this.#state)
      if (transfer?.id !== id || !transfer.target) return false
      await completeRunningTransfer(this.#state, transfer)
      return true
    })
  }

  cancelTransfer(id: string): Promise<boolean> {
    return this.#ask(async () => {
      const transfer = transferOf(this.#state)
      if (transfer?.id !== id) return false
      await cancelRunningTransfer(this.#state, transfer, 487)
      return true
    })
  }

  /** False if nobody is being consulted. */
  mergeTransfer(id: string): Promise<boolean> {
    return this.#ask(async () => {
      const transfer = transferOf(this.#state)
      return transfer?.id === id && beginConference(this.#state, transfer)
    })
  }

  /** The same for whoever this employee consults. False if they consult nobody in this call. */
  mergeConsulted(employeeId: string): Promise<boolean> {
    return this.#ask(async () => {
      const { controller } = this.#state
      const transfer = transferOf(this.#state)
      if (!transfer || controller.employeeId !== employeeId) return false
      return beginConference(this.#state, transfer)
    })
  }

  /** The same for the coworker of an internal call. False if they, or the customer, cannot be merged any more. */
  async mergeInternal(opened: OpenedMerge): Promise<boolean> {
    const transfer = await this.#state.turns.take(() => takeConsulted(this.#state, opened))
    if (!transfer) return false
    // Not in a turn: another edge may have to respond.
    const outcome = await transfer.ringing.outcome
    return this.#ask(() => mergeTaken(this.#state, transfer, outcome))
  }

  /** A phone asked for something, and may hang up on the customer before it is done. */
  keepDuring(asking: Promise<unknown>): void {
    keepDuring(this.#state, asking)
  }

  /** A phone picks up a transfer that rings at the coworker. False if it does not ring any more. */
  pickUpTransfer(id: string, by: EmployeeLeg, accept: () => void): Promise<boolean> {
    return this.#state.turns.take(() => pickUpTransfer(this.#state, id, by, accept))
  }

  /** False if there is nobody to park. */
  park(): Promise<boolean> {
    return this.#ask(() => parkCustomer(this.#state))
  }

  /** Rings the employee for the parked call. False if it is not parked. */
  ringForParked(employeeId: string): Promise<boolean> {
    return this.#state.turns.take(() => ringForParked(this.#state, employeeId))
  }

  /** A phone takes the parked call. False if somebody else has. */
  takeParked(by: EmployeeLeg, accept: () => void): Promise<boolean> {
    return this.#state.turns.take(() => takeParked(this.#state, by, accept))
  }

  /** The coworker switched on do not disturb. Stops ringing them; a coworker who has answered stays in the call. */
  stopRinging(id: string): Promise<boolean> {
    return this.#ask(async () => {
      const transfer = transferOf(this.#state)
      if (transfer?.id !== id || transfer.target) return false
      await cancelRunningTransfer(this.#state, transfer, 480)
      return true
    })
  }

  employees(): string[] {
    return employeesOf(this.#state)
  }

  /** The employee was deleted. The customer is treated as if the employee's phone had been lost. */
  dismiss(employeeId: string): void {
    this.#state.turns.start(() => dismissEmployee(this.#state, employeeId))
  }

  isControlledBy(employeeId: string): boolean {
    return this.#state.controller.employeeId === employeeId
  }

  /** Hangs up on the customer, which ends the conversation. */
  hangUp(): void {
    this.#state.call.customer.hangUp()
  }

  isWith(employeeId: string): boolean {
    return employeeLegOf(this.#state, employeeId) !== undefined
  }

  /** As this employee has it on their phone. */
  callOf(employeeId: string): EmployeeCall {
    return callOf(this.#state, employeeId)
  }

  hasDialog(employeeId: string, dialog: string): boolean {
    return employeeLegOf(this.#state, employeeId)?.leg.call.hasDialog(dialog) ?? false
  }

  /** False if the conversation is over, or no longer theirs. */
  rejoin(employeeId: string, leg: Leg): Promise<boolean> {
    return this.#state.turns.take(() => replaceLeg(this.#state, employeeId, leg))
  }

  /** Waits for the writes too: the client reads the result next. */
  async #ask(run: () => Promise<boolean>): Promise<boolean> {
    const isDone = await this.#state.turns.take(run)
    await this.#state.turns.written
    return isDone
  }
}
