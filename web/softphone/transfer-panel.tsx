import { useQuery } from '@tanstack/react-query'
import { CircleParking } from 'lucide-react'

import { useChange } from '../api/change.ts'
import { answerOf, client } from '../api/client.ts'
import { useTexts } from '../i18n/language.tsx'
import { Button } from '../ui/button.tsx'
import { activeCallQuery, type readActiveCall } from './queries.ts'
import { phoneTexts } from './texts.ts'

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

type Active = NonNullable<Awaited<ReturnType<typeof readActiveCall>>>

const TOUCHED = { touches: [['active-call'], ['employees']] }

function Coworkers({ callId, employees }: { callId: string; employees: Active['employees'] }) {
  const t = useTexts(phoneTexts)
  const start = useChange(
    (employee_id: string) =>
      answerOf(
        client.POST('/api/v1/calls/{call_id}/transfers', {
          params: { path: { call_id: callId } },
          body: { employee_id },
        }),
      ),
    TOUCHED,
  )
  return (
    <div role="group" aria-label={t.transferTitle} className="rounded-xl border">
      <p className="px-3 pt-2 text-[13px] text-soft">{t.transferHint}</p>
      {employees.length === 0 && <p className="p-3 text-sm">{t.nobody}</p>}
      <ul className="max-h-48 overflow-y-auto p-1">
        {employees.map(({ id, name, status }) => (
          <li key={id}>
            <button
              type="button"
              disabled={status !== 'available' || start.isPending}
              onClick={() => start.mutate(id)}
              className="flex w-full items-center gap-2 rounded-lg px-2 py-1.5 text-left text-sm enabled:hover:bg-hover disabled:text-soft"
            >
              <span
                aria-hidden="true"
                className={`size-2 rounded-full ${status === 'available' ? 'bg-good' : 'bg-line-strong'}`}
              />
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
    { touches: [...TOUCHED.touches, ['parked-calls']], said: ({ code }) => t.parked(code) },
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

interface RunningProps {
  call: Active['call']
  transfer: NonNullable<Active['transfer']>
  employees: Active['employees']
}

function RunningTransfer({ call, transfer, employees }: RunningProps) {
  const t = useTexts(phoneTexts)
  const path = { call_id: call.id, transfer_id: transfer.id }
  const complete = useChange(
    () =>
      answerOf(
        client.POST('/api/v1/calls/{call_id}/transfers/{transfer_id}/completion', { params: { path } }),
      ),
    TOUCHED,
  )
  const cancel = useChange(
    () => answerOf(client.DELETE('/api/v1/calls/{call_id}/transfers/{transfer_id}', { params: { path } })),
    TOUCHED,
  )
  const merge = useChange(
    () => answerOf(client.POST('/api/v1/calls/{call_id}/conference', { params: { path } })),
    TOUCHED,
  )
  // The target of a transfer is among the coworkers of its controller.
  const isMine = employees.some(({ id }) => id === transfer.to_employee.id)
  const other = isMine ? transfer.to_employee.name : transfer.from_employee.name
  const isConsulting = transfer.state === 'consulting'
  // While only the two employees talk, the customer is on hold, and the call is `answered`.
  const isThreeWay = isConsulting && call.state === 'bridged'
  const status = isThreeWay ? t.threeWay : isConsulting ? t.consulting : t.ringingAt
  return (
    <div role="group" aria-label={t.transferTitle} className="flex flex-col gap-2 rounded-xl border p-3">
      <p role="status" className="text-sm font-semibold">
        {status(other)}
      </p>
      {isConsulting && (
        <Button look="main" disabled={complete.isPending} onClick={() => complete.mutate()}>
          {isMine ? (isThreeWay ? t.leaveThreeWay : t.complete) : t.takeOver}
        </Button>
      )}
      {isMine && isConsulting && !isThreeWay && (
        <Button disabled={merge.isPending} onClick={() => merge.mutate()}>
          {t.merge}
        </Button>
      )}
      {isMine && (
        <Button disabled={cancel.isPending} onClick={() => cancel.mutate()}>
          {isThreeWay ? t.removeFromThreeWay(other) : t.cancelTransfer}
        </Button>
      )}
    </div>
  )
}
