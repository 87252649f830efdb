import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { AlarmClock, Check, RotateCcw, UserRoundPlus } from 'lucide-react'
import { useState } from 'react'

import { useChange } from '../../../api/change.ts'
import {
  assignThread,
  setThreadState,
  type StateChange,
  teamChanges,
  type ThreadTeam,
  threadTeamQuery,
} from '../../../api/team-inbox.ts'
import { useDates } from '../../../i18n/dates.ts'
import { useTexts } from '../../../i18n/language.tsx'
import { teamTexts } from '../../../i18n/team-inbox.ts'
import { nextRow } from '../../../keys/rows.ts'
import { useKeys } from '../../../keys/use-keys.ts'
import { Avatar } from '../../../people/avatar.tsx'
import { Button } from '../../../ui/button.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { AssigneeChoice } from './assignee-choice.tsx'
import { SnoozeChoice } from './snooze-choice.tsx'

/** Whose the thread is, and when it is done: by button or key. */
export function ThreadActions({ phone, observedAt }: { phone: string; observedAt: string }) {
  const t = useTexts(teamTexts)
  const { data: team } = useQuery(threadTeamQuery(phone))
  const [opened, setOpened] = useState<'assign' | 'snooze'>()
  const close = useClose(phone, observedAt)
  const assign = useChange((employeeId: string | null) => assignThread(phone, employeeId), {
    touches: teamChanges(phone),
  })
  const isOpen = team?.state === 'open'
  const toggleDone = () => close(isOpen ? { state: 'done' } : { state: 'open' })
  useKeys({
    e: toggleDone,
    s: () => setOpened('snooze'),
    a: () => setOpened('assign'),
  })
  if (!team) return null
  const { assignee } = team
  return (
    <>
      <Menu
        open={opened === 'assign'}
        onOpenChange={(open) => setOpened(open ? 'assign' : undefined)}
        trigger={
          <Button size="small" title={`${t.assign} (a)`}>
            {assignee ? (
              <Avatar name={assignee.name} size="small" isCoworker />
            ) : (
              <UserRoundPlus size={15} aria-hidden="true" />
            )}
            <span className="sr-only">{assignee ? t.assignedTo(assignee.name) : t.assign}</span>
            <span aria-hidden="true" className="hidden max-w-24 truncate @lg:inline">
              {assignee?.name ?? t.assign}
            </span>
          </Button>
        }
      >
        <AssigneeChoice assignee={assignee} onChoose={(id) => assign.mutate(id)} />
      </Menu>
      {isOpen && (
        <SnoozeChoice
          open={opened === 'snooze'}
          onOpenChange={(open) => setOpened(open ? 'snooze' : undefined)}
          onChoose={(until) => close({ state: 'snoozed', until: until.toISOString() })}
          trigger={
            <Button size="small" title={`${t.snooze} (s)`} aria-label={t.snooze}>
              <AlarmClock size={15} aria-hidden="true" />
              <span className="hidden @lg:inline">{t.snooze}</span>
            </Button>
          }
        />
      )}
      <Button
        size="small"
        title={`${isOpen ? t.done : t.reopen} (e)`}
        aria-label={isOpen ? t.done : t.reopen}
        onClick={toggleDone}
      >
        {isOpen ? <Check size={15} aria-hidden="true" /> : <RotateCcw size={15} aria-hidden="true" />}
        <span className="hidden @lg:inline">{isOpen ? t.done : t.reopen}</span>
      </Button>
    </>
  )
}

/** Below the header of a thread that is not open. */
export function ClosedNotice({ phone }: { phone: string }) {
  const t = useTexts(teamTexts)
  const dates = useDates()
  const { data: team } = useQuery(threadTeamQuery(phone))
  if (!team || team.state === 'open') return null
  return (
    <p role="status" className="flex items-center gap-2 border-b bg-hover px-5 py-1.5 text-sm text-soft">
      {team.state === 'snoozed' ? (
        <AlarmClock size={15} aria-hidden="true" />
      ) : (
        <Check size={15} aria-hidden="true" />
      )}
      {team.snoozed_until
        ? t.snoozedUntil(dates.whole(team.snoozed_until))
        : team.closed_by && team.closed_at && t.doneBy(team.closed_by.name, dates.whole(team.closed_at))}
    </p>
  )
}

/** What was not seen yet keeps the thread open. Otherwise the next of the list is shown, as by `j`. */
function useClose(phone: string, observedAt: string): (change: StateChange) => void {
  const t = useTexts(teamTexts)
  const toast = useToast()
  const navigate = useNavigate()
  const { mutate } = useChange(
    ({ state, until }: StateChange & { next?: string }) =>
      setThreadState(phone, { state, until, ...(state !== 'open' && { through: observedAt }) }),
    {
      touches: teamChanges(phone),
      onDone: (team: ThreadTeam, { state, next }) => {
        if (state === 'open') return
        if (team.state === 'open') return toast({ tone: 'wrong', text: t.newArrived })
        toast({ tone: 'good', text: state === 'done' ? t.isDone : t.isSnoozed })
        void navigate(
          next === undefined ? { to: '/inbox' } : { to: '/inbox/$phone', params: { phone: next } },
        )
      },
    },
  )
  // Found now: the list may have changed by the time of the response.
  return (change) => mutate({ ...change, next: phoneOfRow(nextRow()) })
}

function phoneOfRow(row: HTMLElement | undefined): string | undefined {
  return row instanceof HTMLAnchorElement
    ? decodeURIComponent(row.pathname.slice(row.pathname.lastIndexOf('/') + 1))
    : undefined
}
