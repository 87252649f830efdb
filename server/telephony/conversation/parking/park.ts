import {
  callParked,
  parkedCallNotTaken,
  parkedCallTaken,
  ringForParkedCall,
} from '../../../modules/calls/index.ts'
import type { ReferRequest } from '../../../sip/index.ts'
import { TELEPHONY_LIMITS } from '../../limits.ts'
import type { RingOutcome } from '../../ring/ringing.ts'
import { type ConversationState, ringForCall } from '../conversation-state.ts'
import type { EmployeeLeg } from '../employee-leg.ts'
import { endConversation } from '../ending.ts'
import { type Parking, stopParking } from './parking.ts'

/** The customer hears music, and the controller leaves. False if they do not talk. */
export async function parkCustomer(state: ConversationState, asked?: ReferRequest): Promise<boolean> {
  if (state.now.is !== 'talking') return false
  const { employeeId, leg } = state.controller
  const parking: Parking = { parkedBy: employeeId, recalls: 0, stopTimer: () => {} }
  state.now = { is: 'parked', parking }
  await state.sound.keepWaiting()
  asked?.accept()
  asked?.report(200)
  leg.hangUp()
  state.turns.write((tx) => callParked(tx, state.call.ref, employeeId))
  recallLater(state, parking)
  return true
}

/** The phones of an employee ring, and the call is theirs when they answer. Whoever was rung before is not. */
export function ringForParked(state: ConversationState, employeeId: string): boolean {
  if (state.now.is !== 'parked') return false
  const { parking } = state.now
  const { rung } = parking
  if (rung?.employeeId === employeeId) return true
  const ringing = ringForCall(state, employeeId)
  parking.rung = { employeeId, ringing }
  if (rung) notTaken(state, parking, rung.employeeId)
  rung?.ringing.cancel()
  state.turns.startAfter(ringing.outcome, (outcome) => rang(state, parking, { employeeId, outcome }))
  return true
}

async function rang(
  state: ConversationState,
  parking: Parking,
  { employeeId, outcome }: { employeeId: string; outcome: RingOutcome },
): Promise<void> {
  const isWanted = isParked(state, parking) && parking.rung?.employeeId === employeeId
  if (!isWanted) return outcome.is === 'answered' ? outcome.leg.hangUp() : undefined
  parking.rung = undefined
  if (outcome.is === 'answered') return connect(state, parking, { employeeId, leg: outcome.leg })
  notTaken(state, parking, employeeId)
}

/** A phone dialled the slot. `accept` answers it, unless somebody else has taken the call. */
export async function takeParked(
  state: ConversationState,
  by: EmployeeLeg,
  accept: () => void,
): Promise<boolean> {
  if (state.now.is !== 'parked' || by.leg.isOver) return false
  accept()
  await connect(state, state.now.parking, by)
  return true
}

async function connect(state: ConversationState, parking: Parking, by: EmployeeLeg): Promise<void> {
  stopParking(parking, 'elsewhere')
  state.now = { is: 'talking' }
  state.controller = by
  state.watch(by)
  await state.sound.join(by.leg)
  const at = state.parts.edge.clock.now()
  state.turns.write((tx) => parkedCallTaken(tx, state.call.ref, by.employeeId, at))
}

function notTaken(state: ConversationState, parking: Parking, employeeId: string): void {
  state.turns.write((tx) => parkedCallNotTaken(tx, state.call.ref, employeeId))
  if (!parking.rung) recallLater(state, parking)
}

/** The customer is not forgotten: the phones of the employee who parked the call ring again and again. */
function recallLater(state: ConversationState, parking: Parking): void {
  parking.stopTimer()
  parking.stopTimer = state.parts.edge.clock.after(TELEPHONY_LIMITS.parkedMs, () =>
    state.turns.start(() => recall(state, parking)),
  )
}

function recall(state: ConversationState, parking: Parking): void {
  if (!isParked(state, parking) || parking.rung) return
  if (parking.recalls >= TELEPHONY_LIMITS.parkedRecalls) return endConversation(state, 'not_retrieved')
  parking.recalls += 1
  state.turns.startAfter(mayRing(state, parking), (isAllowed) => {
    if (!isParked(state, parking)) return
    if (isAllowed) ringForParked(state, parking.parkedBy)
    else recallLater(state, parking)
  })
}

/** Not while they are on another call. Without the database nobody knows, and the customer waits on. */
async function mayRing({ parts, turns, call }: ConversationState, { parkedBy }: Parking): Promise<boolean> {
  await turns.written
  try {
    return await parts.writes.tx((tx) => ringForParkedCall(tx, call.ref, parkedBy))
  } catch (err) {
    parts.edge.log.warn({ err, call: call.ref.callId }, 'it is not known whether a parked call may ring')
    return false
  }
}

const isParked = ({ now }: ConversationState, parking: Parking) =>
  now.is === 'parked' && now.parking === parking
