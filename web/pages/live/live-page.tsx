import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'

import { type Call, parkedCallsQuery } from '../../api/calls.ts'
import { employeesQuery } from '../../api/employees.ts'
import { clockTime } from '../../i18n/dates.ts'
import { useTexts } from '../../i18n/language.tsx'
import { liveTexts } from '../../i18n/live.ts'
import { useCustomerName } from '../../people/customer-name.ts'
import { Badge, Card, Page } from '../../ui/page.tsx'
import { Loaded, SkeletonRows } from '../../ui/states.tsx'
import { Presence } from '../employees/presence.tsx'
import { useActiveCalls } from './active-calls.ts'
import { ParkedCalls } from './parked-calls.tsx'
import { PickUp } from './pick-up.tsx'

/** The current calls and employees, for a screen on the wall. */
export default function LivePage() {
  const t = useTexts(liveTexts)
  const now = useNow()
  const calls = useActiveCalls()
  const employees = useQuery(employeesQuery())
  const running = calls.data ?? []
  const waiting = running.filter(isWaiting).toSorted((a, b) => secondsSince(b, now) - secondsSince(a, now))
  const { data: parked = [] } = useQuery(parkedCallsQuery())
  const isParked = ({ id }: Call) => parked.some(({ call_id }) => call_id === id)
  const others = running.filter((call) => !isWaiting(call) && !isParked(call))
  const ready = (employees.data ?? []).filter(({ status }) => status === 'available')
  return (
    <Page title={t.title}>
      <dl className="mb-6 grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Figure name={t.callsNow} value={calls.data && String(running.length)} />
        <Figure name={t.waiting} value={calls.data && String(waiting.length)} alarming={waiting.length > 0} />
        <Figure name={t.longest} value={waiting[0] && clockTime(secondsSince(waiting[0], now))} />
        <Figure name={t.available} value={employees.data && String(ready.length)} />
      </dl>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="flex flex-col gap-4">
          <CallList title={t.queue} none={t.noQueue} query={calls} calls={waiting} now={now} />
          <ParkedCalls parked={parked} now={now} />
          <CallList title={t.callsNow} none={t.noCalls} query={calls} calls={others} now={now} />
        </div>
        <Card>
          <h2 className="border-b px-4 py-3 font-semibold">{t.team}</h2>
          <Loaded query={employees}>
            {(employees) => (
              <ul className="divide-y">
                {employees.map((employee) => (
                  <li key={employee.id} className="flex flex-wrap items-center gap-2 px-4 py-2">
                    <span className="min-w-0 flex-1 truncate">{employee.name}</span>
                    <Presence employee={employee} />
                  </li>
                ))}
              </ul>
            )}
          </Loaded>
        </Card>
      </div>
    </Page>
  )
}

interface FigureProps {
  name: string
  /** Undefined if there is none, or it is not known. */
  value: string | undefined
  alarming?: boolean
}

function Figure({ name, value = '–', alarming = false }: FigureProps) {
  return (
    <div
      className={`flex flex-col-reverse rounded-xl border px-4 py-3 ${alarming ? 'bg-warn-ground' : 'bg-surface'}`}
    >
      <dt className={`text-sm ${alarming ? 'text-warn' : 'text-soft'}`}>{name}</dt>
      <dd className="text-3xl font-semibold tabular-nums">{value}</dd>
    </div>
  )
}

interface CallListProps {
  title: string
  none: ReactNode
  query: ReturnType<typeof useActiveCalls>
  /** Of the query. */
  calls: Call[]
  now: number
}

function CallList({ title, none, query, calls, now }: CallListProps) {
  const t = useTexts(liveTexts)
  const nameOf = useCustomerName()
  return (
    <Card>
      <h2 className="border-b px-4 py-3 font-semibold">{title}</h2>
      {calls.length === 0 && (
        <Loaded query={query} waiting={<SkeletonRows rows={1} />}>
          {() => <p className="px-4 py-3 text-soft">{none}</p>}
        </Loaded>
      )}
      <ul className="divide-y">
        {calls.map((call) => (
          <li key={call.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2">
            <div className="min-w-0 flex-1">
              <p className="truncate font-medium">
                {nameOf(call, call.direction === 'inbound' ? call.from : call.to)}
              </p>
              <p className="truncate text-sm text-soft">
                {[t[call.direction], call.main_number_name, ...call.employees.map(({ name }) => name)].join(
                  ' · ',
                )}
              </p>
            </div>
            <Badge tone={isWaiting(call) ? 'warn' : 'accent'}>{t[call.state]}</Badge>
            <span className="w-14 text-right tabular-nums">{clockTime(secondsSince(call, now))}</span>
            {isWaiting(call) && <PickUp callId={call.id} />}
          </li>
        ))}
      </ul>
    </Card>
  )
}

const isWaiting = ({ state, direction }: Call) => direction === 'inbound' && state === 'queued'

function secondsSince({ started_at, answered_at, state }: Call, now: number): number {
  const from = state === 'queued' ? started_at : (answered_at ?? started_at)
  return from === null ? 0 : (now - new Date(from).getTime()) / 1000
}

function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}
