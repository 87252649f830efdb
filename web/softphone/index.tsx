import { useQuery } from '@tanstack/react-query'

import { sessionQuery } from '../api/session.ts'
import { Dock } from './dock.tsx'
import { phoneOf } from './phone/phone.ts'

/** The softphone: on every page, loaded after it. */
export default function Softphone() {
  const { data: session } = useQuery(sessionQuery())
  if (!session) return null
  const { id } = session.employee
  return <Dock phone={phoneOf(id)} employeeId={id} />
}
