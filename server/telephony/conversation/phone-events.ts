import { inBackground } from '../../platform/background.ts'
import type { ReferRequest } from '../../sip/index.ts'
import type { ConversationState } from './conversation-state.ts'
import type { EmployeeLeg } from './employee-leg.ts'
import { handleHangUp } from './hang-up.ts'
import { handleRefer } from './transfer/refer.ts'
import { beginTransfer } from './transfer/transfer.ts'

/** Handles what an employee does on their phone: hold, DTMF digits for the customer, transfer, hang-up. */
export function handlePhoneEvents(state: ConversationState, party: EmployeeLeg): void {
  const { turns, sound, parts, call } = state
  const talks = () => party === state.controller && state.now.is === 'talking'
  party.leg.listener = {
    onHold: () => turns.start(() => (talks() ? sound.join(party.leg) : undefined)),
    onKey: (key) => {
      // Fails if the customer has just hung up, which does not matter.
      if (talks()) parts.edge.media.sendDigits(call.customer.sound, [key]).catch(() => {})
    },
    onTransfer: (asked) => askForTransfer(state, party, asked),
  }
  turns.startAfter(party.leg.ended, () => handleHangUp(state, party))
}

function askForTransfer(state: ConversationState, { employeeId }: EmployeeLeg, asked: ReferRequest): void {
  if (state.asking) return asked.refuse(491)
  const { parts, turns, call } = state
  const start = (id: string, toEmployeeId: string) =>
    turns.take(() => beginTransfer(state, id, toEmployeeId, asked))
  state.asking = handleRefer(parts, turns, call, { employeeId, asked, start })
  inBackground(
    parts.edge.log,
    'transfer a call on request of a phone',
    state.asking.finally(() => (state.asking = undefined)),
  )
}
