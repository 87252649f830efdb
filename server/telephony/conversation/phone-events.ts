import { inBackground } from '../../platform/background.ts'
import { encodeId } from '../../platform/ids.ts'
import type { ReferRequest } from '../../sip/index.ts'
import { readPhoneCode } from '../codes/phone-code.ts'
import type { EmployeeCall } from '../port.ts'
import { type ConversationState, transferOf } from './conversation-state.ts'
import type { EmployeeLeg } from './employee-leg.ts'
import { handleHangUp } from './hang-up.ts'
import { referToSlot } from './parking/refer-to-slot.ts'
import { connectConference } from './transfer/conference.ts'
import { handleRefer } from './transfer/refer.ts'

/** Handles what an employee does on their phone: hold, DTMF digits for the customer, transfer, hang-up. */
export function handlePhoneEvents(state: ConversationState, party: EmployeeLeg): void {
  const { turns, sound, parts, call } = state
  const talks = () => party === state.controller && state.now.is === 'talking'
  const conference = () => {
    const transfer = transferOf(state)
    return transfer?.isConference && transfer
  }
  const changeHold = () => {
    const merged = conference()
    if (merged) return connectConference(state, merged)
    return talks() ? sound.join(party.leg) : undefined
  }
  party.leg.listener = {
    onHold: () => turns.start(changeHold),
    onKey: (key) => {
      // Fails if the customer has just hung up, which does not matter.
      if (talks() || conference()) parts.edge.media.sendDigits(call.customer.sound, [key]).catch(() => {})
    },
    onTransfer: (asked) =>
      inBackground(
        parts.edge.log,
        'transfer a call on request of a phone',
        askForTransfer(state, party.employeeId, asked),
      ),
  }
  turns.startAfter(party.leg.ended, () => handleHangUp(state, party))
}

/** A call as an employee in it has it on their phone. */
export const callOf = (state: ConversationState, employeeId: string): EmployeeCall => ({
  id: encodeId('cal', state.call.ref.callId),
  transfer: (asked) => askForTransfer(state, employeeId, asked),
})

export type OutsideOutcome = { outsideTransferId: string } | { refusal: number }

/** The API requests what a phone may, and gets the same answer. */
export async function requestOutsideTransfer(
  state: ConversationState,
  employeeId: string,
  number: string,
): Promise<OutsideOutcome> {
  let outcome: OutsideOutcome | undefined
  await askForTransfer(state, employeeId, {
    target: { scheme: 'sip', user: number, ...state.parts.edge.domain, params: new Map() },
    referredBy: undefined,
    replaces: undefined,
    accept() {
      if (state.now.is === 'calling_outside') outcome = { outsideTransferId: state.now.transfer.id }
    },
    refuse: (refusal) => (outcome = { refusal }),
    report() {},
  })
  return outcome ?? { refusal: 603 }
}

async function askForTransfer(
  state: ConversationState,
  employeeId: string,
  asked: ReferRequest,
): Promise<void> {
  if (state.asking) return asked.refuse(491)
  if (asked.replaces !== undefined) return state.parts.joinCalls(employeeId, callOf(state, employeeId), asked)
  const code = readPhoneCode(asked.target)
  state.asking =
    code?.is === 'slot'
      ? referToSlot(state, employeeId, asked, code.slot)
      : handleRefer(state, employeeId, asked)
  try {
    await state.asking
  } finally {
    state.asking = undefined
  }
}
