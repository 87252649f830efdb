import { useQuery } from '@tanstack/react-query'
import { CircleParking } from 'lucide-react'
import { useState } from 'react'

import { useChange } from '../../api/change.ts'
import { answerOf, client } from '../../api/client.ts'
import { employeesQuery } from '../../api/employees.ts'
import { useLanguage, useTexts } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { ACTIVE_CALL_CHANGES, type ActiveCall, activeCallQuery } from '../queries.ts'
import { phoneTexts } from '../texts.ts'
import { RunningTransfer } from './running-transfer.tsx'
import { type Target, targetsFor } from './targets.ts'
import { transferTexts } from './texts.ts'

interface TransferPanelProps {
  callId: string | null
  /** Whether the coworkers are shown; a transfer in progress always is. */
  isOpen: boolean
}

/** Transfers the call to a coworker, after consulting. */
export function TransferPanel({ callId, isOpen }: TransferPanelProps) {
  const { data: active } = useQuery(activeCallQuery())
  if (!active || callId === null || active.call.id !== callId) return null
  if (active.transfer)
    return <RunningTransfer call={active.call} transfer={active.transfer} employees={active.employees} />
  return isOpen ? <Coworkers callId={callId} employees={active.employees} /> : null
}

/** A few coworkers are found at a glance. */
const LIMITS = { withoutSearch: 5 }

const DOTS: Record<Target['status'], string> = {
  available: 'bg-good',
  ringing: 'bg-accent',
  on_call: 'bg-accent',
  do_not_disturb: 'bg-warn',
  logged_out: 'bg-line-strong',
  unknown: 'bg-line-strong',
}

/** By availability. Only those who are available can be chosen. */
function Coworkers({ callId, employees }: { callId: string; employees: ActiveCall['employees'] }) {
  const t = useTexts(transferTexts)
  const { transferTitle, transferHint } = useTexts(phoneTexts)
  const { language } = useLanguage()
  const [typed, setTyped] = useState('')
  const { data: known = [] } = useQuery(employeesQuery())
  const targets = targetsFor(typed, { offered: employees, employees: known, language })
  const start = useChange(
    (employee_id: string) =>
      answerOf(
        client.POST('/api/v1/calls/{call_id}/transfers', {
          params: { path: { call_id: callId } },
          body: { employee_id },
        }),
      ),
    ACTIVE_CALL_CHANGES,
  )
  return (
    <div role="group" aria-label={transferTitle} className="rounded-xl border">
      <p className="px-3 pt-2 text-[13px] text-soft">{transferHint}</p>
      {employees.length > LIMITS.withoutSearch && (
        <SearchBox label={t.search} className="mx-2 mt-2" value={typed} onChange={setTyped} />
      )}
      {targets.length === 0 && (
        <p className="p-3 text-sm">{employees.length === 0 ? t.nobody : t.nobodyFound}</p>
      )}
      <ul className="max-h-48 overflow-y-auto p-1">
        {targets.map(({ id, name, status }) => (
          <li key={id}>
            <button
              type="button"
              disabled={status !== 'available' || start.isPending}
              onClick={() => start.mutate(id)}
              className="flex w-full items-center gap-2 rounded-lg px-2 py-1.5 text-left text-sm enabled:hover:bg-hover disabled:text-soft"
            >
              <span aria-hidden="true" className={`size-2 rounded-full ${DOTS[status]}`} />
              <span className="min-w-0 flex-1 truncate font-semibold">{name}</span>
              <span className="text-[13px]">{t.status[status]}</span>
            </button>
          </li>
        ))}
      </ul>
      <Park callId={callId} />
    </div>
  )
}

/** Anybody of the company can take the call then. */
function Park({ callId }: { callId: string }) {
  const t = useTexts(phoneTexts)
  const park = useChange(
    async () => {
      const path = { call_id: callId }
      const { parked_call } = await answerOf(
        client.POST('/api/v1/calls/{call_id}/park', { params: { path }, body: {} }),
      )
      return parked_call
    },
    { touches: [...ACTIVE_CALL_CHANGES.touches, ['parked-calls']], said: ({ code }) => t.parked(code) },
  )
  return (
    <div className="border-t p-2">
      <Button size="small" disabled={park.isPending} onClick={() => park.mutate()}>
        <CircleParking size={16} />
        {t.park}
      </Button>
    </div>
  )
}
