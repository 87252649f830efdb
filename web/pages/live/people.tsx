import type { LiveCalls } from '../../api/calls.ts'
import type { Employee } from '../../api/employees.ts'
import { clockTime } from '../../i18n/dates.ts'
import { useTexts } from '../../i18n/language.tsx'
import { liveTexts } from '../../i18n/live.ts'
import { Avatar } from '../../people/avatar.tsx'
import { useCustomerName } from '../../people/customer-name.ts'
import { Presence } from '../employees/presence.tsx'
import { secondsSince } from './use-now.ts'

/** Those who talk first, then those who could. */
const ORDER: Record<Employee['status'], number> = {
  on_call: 0,
  ringing: 1,
  available: 2,
  do_not_disturb: 3,
  unknown: 4,
  logged_out: 5,
}

interface PeopleProps {
  employees: Employee[]
  live: LiveCalls | undefined
  now: number
}

/** Everybody, with whom they talk and since when. */
export function People({ employees, live, now }: PeopleProps) {
  const talkOf = useTalks(live)
  const inOrder = employees.toSorted(
    (a, b) => ORDER[a.status] - ORDER[b.status] || a.name.localeCompare(b.name),
  )
  return (
    <ul className="divide-y lg:wall:grid lg:wall:grid-cols-2 lg:wall:divide-y-0">
      {inOrder.map((employee) => {
        const talk = talkOf(employee.id)
        return (
          // A wall shows who is there.
          <li
            key={employee.id}
            className={`flex items-center gap-3 px-4 py-2 wall:gap-2 wall:px-3 wall:py-1.5 ${employee.status === 'logged_out' ? 'wall:hidden' : ''}`}
          >
            <Avatar name={employee.name} isCoworker={employee.status !== 'logged_out'} />
            <div className="min-w-0 flex-1">
              <p className="truncate font-medium wall:text-lg wall:leading-6">{employee.name}</p>
              {talk && <p className="truncate text-sm text-soft">{talk.text}</p>}
            </div>
            <span className="flex shrink-0 flex-col items-end gap-0.5">
              <span className={talk ? 'lg:wall:hidden' : ''}>
                <Presence employee={employee} />
              </span>
              {talk && (
                <span className="text-lg leading-6 font-semibold tabular-nums">
                  {clockTime(secondsSince(talk.since, now))}
                </span>
              )}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

interface Talk {
  text: string
  since: string | null
}

/** What an employee does in a call, in words. */
function useTalks(live: LiveCalls | undefined): (employeeId: string) => Talk | undefined {
  const t = useTexts(liveTexts)
  const nameOf = useCustomerName()
  const talks = new Map<string, Talk>()
  for (const call of live?.internal_calls ?? []) {
    const { from_employee: from, to_employee: to, started_at, answered_at } = call
    const since = answered_at ?? started_at
    if (from && to) talks.set(from.id, { text: (answered_at ? t.talksTo : t.dials)(to.name), since })
    if (from && to && answered_at) talks.set(to.id, { text: t.talksTo(from.name), since })
  }
  for (const call of live?.calls ?? []) {
    const { employee, consulted, answered_at, started_at } = call
    if (!employee) continue
    const customer = nameOf(call, call.phone_number)
    const since = call.employee_since ?? answered_at ?? started_at
    const text = consulted
      ? t.consults(consulted.name, customer)
      : (answered_at ? t.talksTo : t.dials)(customer)
    talks.set(employee.id, { text: `${text} · ${call.main_number_name}`, since })
    if (consulted) talks.set(consulted.id, { text: t.consultedBy(employee.name, customer), since })
  }
  return (employeeId) => talks.get(employeeId)
}
