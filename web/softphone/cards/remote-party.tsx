import { readablePhone } from '../../ui/phone.ts'
import { useContactName } from '../queries.ts'

/** The remote party: the name of the contact, and the number. */
export function RemoteParty({ number }: { number: string }) {
  const name = useContactName(number)
  return (
    <>
      <p className="truncate text-lg font-semibold">{name ?? readablePhone(number)}</p>
      {name !== undefined && <p className="text-sm text-soft">{readablePhone(number)}</p>}
    </>
  )
}
