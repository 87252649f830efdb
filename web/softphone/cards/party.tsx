import { readablePhone } from '../../ui/phone.ts'
import { useContactName } from '../queries.ts'

/** Who is at the other end: the name that the company knows, and the number. */
export function Party({ number }: { number: string }) {
  const name = useContactName(number)
  return (
    <>
      <p className="truncate text-lg font-semibold">{name ?? readablePhone(number)}</p>
      {name !== undefined && <p className="text-sm text-soft">{readablePhone(number)}</p>}
    </>
  )
}
