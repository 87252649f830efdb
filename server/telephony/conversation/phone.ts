import { inBackground } from '../../platform/background.ts'
import type { Transfer } from '../../sip/index.ts'
import { hungUp } from './hang-up.ts'
import type { Party } from './party.ts'
import type { Talk } from './talk.ts'
import { transferByPhone } from './transfer/phone-transfer.ts'
import { beginTransfer } from './transfer/transfer.ts'

/** Handles what an employee does on their phone: hold, DTMF digits for the customer, transfer, hang-up. */
export function watchPhone(talk: Talk, party: Party): void {
  const { turns, sound, parts, call } = talk
  const talks = () => party === talk.controller && talk.now.is === 'talking'
  party.leg.listener = {
    onHold: () => turns.start(() => (talks() ? sound.join(party.leg) : undefined)),
    onKey: (key) => {
      // Fails if the customer has just hung up, which does not matter.
      if (talks()) parts.exchange.media.sendDigits(call.customer.sound, [key]).catch(() => {})
    },
    onTransfer: (asked) => askForTransfer(talk, party, asked),
  }
  turns.startAfter(party.leg.ended, () => hungUp(talk, party))
}

function askForTransfer(talk: Talk, { employeeId }: Party, asked: Transfer): void {
  if (talk.asking) return asked.refuse(491)
  const { parts, turns, call } = talk
  const start = (id: string, toEmployeeId: string) =>
    turns.take(() => beginTransfer(talk, id, toEmployeeId, asked))
  talk.asking = transferByPhone(parts, turns, call, { employeeId, asked, start })
  inBackground(
    parts.exchange.log,
    'transfer a call on request of a phone',
    talk.asking.finally(() => (talk.asking = undefined)),
  )
}
