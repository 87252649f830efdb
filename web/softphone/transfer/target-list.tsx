import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { useChange } from '../../api/change.ts'
import { answerOf, client } from '../../api/client.ts'
import { employeesQuery } from '../../api/employees.ts'
import { useLanguage, useTexts } from '../../i18n/language.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { ACTIVE_CALL_CHANGES, type ActiveCall } from '../queries.ts'
import { phoneTexts } from '../texts.ts'
import { keepTarget } from './last-target.ts'
import { OutsideTargets } from './outside-targets.tsx'
import { Park } from './park.tsx'
import { type Target, targetsFor } from './targets.ts'
import { transferTexts } from './texts.ts'

/** Coworkers and, if something is typed, contacts and numbers outside. Says first what a click will do. */
export function TargetList({ active }: { active: ActiveCall }) {
  const t = useTexts(transferTexts)
  const { transferTitle } = useTexts(phoneTexts)
  const [isBlind, setBlind] = useState(false)
  const [typed, setTyped] = useState('')
  const { id: callId } = active.call
  return (
    <div role="group" aria-label={transferTitle} className="rounded-xl border">
      <HowChoice isBlind={isBlind} onChange={setBlind} />
      <SearchBox label={t.search} className="mx-2 mt-2" value={typed} onChange={setTyped} />
      <Coworkers callId={callId} employees={active.employees} typed={typed} isBlind={isBlind} />
      <OutsideTargets callId={callId} isAllowed={active.can_transfer_outside} typed={typed} />
      <Park callId={callId} />
    </div>
  )
}

function HowChoice({ isBlind, onChange }: { isBlind: boolean; onChange(isBlind: boolean): void }) {
  const t = useTexts(transferTexts)
  const ways = [
    { label: t.talkFirst, isBlind: false },
    { label: t.atOnce, isBlind: true },
  ]
  return (
    <fieldset className="px-2 pt-2">
      <legend className="sr-only">{t.how}</legend>
      <div className="grid grid-cols-2 gap-1 rounded-lg bg-hover p-1">
        {ways.map((way) => (
          <label
            key={way.label}
            className="cursor-pointer rounded-md border border-transparent px-2 py-1 text-center text-sm has-checked:border-line has-checked:bg-surface has-checked:font-semibold has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name="how-to-transfer"
              className="sr-only"
              checked={way.isBlind === isBlind}
              onChange={() => onChange(way.isBlind)}
            />
            {way.label}
          </label>
        ))}
      </div>
      <p className="px-1 pt-1.5 text-sm text-soft">{isBlind ? t.atOnceHint : t.talkFirstHint}</p>
    </fieldset>
  )
}

const DOTS: Record<Target['status'], string> = {
  available: 'bg-good',
  ringing: 'bg-accent',
  on_call: 'bg-accent',
  do_not_disturb: 'bg-warn',
  logged_out: 'bg-line-strong',
  unknown: 'bg-line-strong',
}

interface CoworkersProps {
  callId: string
  employees: ActiveCall['employees']
  typed: string
  isBlind: boolean
}

/** By availability. Only those who are available can be chosen. */
function Coworkers({ callId, employees, typed, isBlind }: CoworkersProps) {
  const t = useTexts(transferTexts)
  const { language } = useLanguage()
  const { data: known = [] } = useQuery(employeesQuery())
  const targets = targetsFor(typed, { offered: employees, employees: known, language })
  const start = useChange(({ id, name }: Target) => {
    keepTarget(callId, name)
    return answerOf(
      client.POST('/api/v1/calls/{call_id}/transfers', {
        params: { path: { call_id: callId } },
        body: { employee_id: id, is_blind: isBlind },
      }),
    )
  }, ACTIVE_CALL_CHANGES)
  if (targets.length === 0)
    return <p className="p-3 text-sm">{employees.length === 0 ? t.nobody : t.nobodyFound}</p>
  return (
    <ul aria-label={t.coworkers} className="max-h-48 overflow-y-auto p-1">
      {targets.map((target) => (
        <li key={target.id}>
          <button
            type="button"
            disabled={target.status !== 'available' || start.isPending}
            onClick={() => start.mutate(target)}
            className="flex w-full items-center gap-2 rounded-lg px-2 py-1.5 text-left text-sm enabled:hover:bg-hover disabled:text-soft"
          >
            <span aria-hidden="true" className={`size-2 rounded-full ${DOTS[target.status]}`} />
            <span className="min-w-0 flex-1 truncate font-semibold">{target.name}</span>
            <span className="text-sm">{t.status[target.status]}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
