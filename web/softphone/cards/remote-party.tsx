import { useReadableNumber } from '../../i18n/remote-numbers.ts'
import { useCoworkerOf } from '../dialing/coworkers.ts'
import type { PhoneCall } from '../phone/state.ts'
import { useContactName } from '../queries.ts'

/** The remote party: the name of the coworker or contact, and the number. */
export function RemoteParty({ call }: { call: PhoneCall }) {
  const coworker = useCoworkerOf(call)
  const contact = useContactName(call.other)
  const name = coworker?.name ?? contact
  const readable = useReadableNumber()(call.other)
  return (
    <>
      <p className="truncate text-lg font-semibold">{name ?? readable}</p>
      {name !== undefined && <p className="text-sm text-soft">{readable}</p>}
    </>
  )
}
