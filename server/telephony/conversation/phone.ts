import { inBackground } from '../../platform/background.ts'
import type { Transfer } from '../../sip/index.ts'
import { hungUp } from './hang-up.ts'
import type { Party } from './party.ts'
import type { Talk } from './talk.ts'
import { transferByPhone } from './transfer/phone-transfer.ts'
import { beginTransfer } from './transfer/transfer.ts'

/** What an employee does with their phone: hold, keys for the customer, a transfer, hanging up. */
export function watchPhone(talk: Talk, party: Party): void {
  const { turns, sound, parts, call } = talk
  const talks = () => party === talk.controller && talk.now.is === 'talking'
  party.leg.listener = {
    onHold: () => turns.start(() => (talks() ? sound.join(party.leg) : undefined)),
    onKey: (key) => {
      // A customer who is gone hears no keys.
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
    'transfer a call by phone',
    talk.asking.finally(() => (talk.asking = undefined)),
  )
}
