import { useReadableNumber } from '../../i18n/remote-numbers.ts'
import { useContactName } from '../queries.ts'

/** The remote party: the name of the contact, and the number. */
export function RemoteParty({ number }: { number: string }) {
  const name = useContactName(number)
  const readable = useReadableNumber()(number)
  return (
    <>
      <p className="truncate text-lg font-semibold">{name ?? readable}</p>
      {name !== undefined && <p className="text-sm text-soft">{readable}</p>}
    </>
  )
}
