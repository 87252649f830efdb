import { useQuery } from '@tanstack/react-query'

import { useReadableNumber } from '../../i18n/remote-numbers.ts'
import { activeCallQuery } from '../queries.ts'
import { useLastTarget } from './last-target.ts'
import { RunningOutsideTransfer, RunningTransfer } from './running-transfer.tsx'
import { TargetList } from './target-list.tsx'
import { useUntakenNotice } from './untaken-notice.ts'

interface TransferPanelProps {
  callId: string | null
  /** Whether the targets are shown; a transfer in progress always is. */
  isOpen: boolean
}

/** Transfers the call to a coworker or to a number outside. */
export function TransferPanel({ callId, isOpen }: TransferPanelProps) {
  const { data } = useQuery(activeCallQuery())
  const active = callId !== null && data?.call.id === callId ? data : undefined
  useUntakenNotice(active)
  useLastTarget(active, useReadableNumber())
  if (!active) return null
  const { call, transfer, outside_transfer: outside, employees } = active
  if (transfer) return <RunningTransfer call={call} transfer={transfer} employees={employees} />
  if (outside) return <RunningOutsideTransfer call={call} transfer={outside} />
  return isOpen ? <TargetList active={active} /> : null
}
