import { useQuery } from '@tanstack/react-query'

import { sessionQuery } from '../../api/session.ts'
import { phoneOf } from '../phone/phone.ts'
import { StatusControl } from './status-control.tsx'

/** The status of whoever is signed in, for the frame of the pages; loaded after it, with the softphone. */
export default function OwnStatus({ side }: { side: 'top' | 'bottom' }) {
  const { data: session } = useQuery(sessionQuery())
  if (!session) return null
  const { id } = session.employee
  return <StatusControl phone={phoneOf(id)} employeeId={id} side={side} />
}
