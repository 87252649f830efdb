import { type ReactNode, useState } from 'react'

import { useDates } from '../../../i18n/dates.ts'
import { useTexts } from '../../../i18n/language.tsx'
import { teamTexts } from '../../../i18n/team-inbox.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Form } from '../../../ui/form.tsx'
import { Menu, MenuItem, MenuLabel } from '../../../ui/menu.tsx'
import { Calendar } from '../../../ui/time/calendar.tsx'
import { TimeField } from '../../../ui/time/time-field.tsx'

const MORNING_HOUR = 9
const LATER_HOURS = 3
const DAYS_OF_WEEK = 7
const MONDAY = 1

interface SnoozeChoiceProps {
  open: boolean
  onOpenChange(open: boolean): void
  onChoose(until: Date): void
  trigger: ReactNode
}

export function SnoozeChoice({ open, onOpenChange, onChoose, trigger }: SnoozeChoiceProps) {
  const t = useTexts(teamTexts)
  const dates = useDates()
  const [picks, setPicks] = useState(false)
  const now = new Date()
  const untilMonday = (MONDAY - now.getDay() + DAYS_OF_WEEK) % DAYS_OF_WEEK || DAYS_OF_WEEK
  const times = [
    { name: t.laterToday, until: inHours(now, LATER_HOURS) },
    { name: t.tomorrow, until: morningIn(now, 1) },
    { name: t.nextWeek, until: morningIn(now, untilMonday) },
  ]
  return (
    <>
      <Menu open={open} onOpenChange={onOpenChange} trigger={trigger}>
        <MenuLabel>{t.snoozeUntil}</MenuLabel>
        {times.map(({ name, until }) => (
          <MenuItem key={name} onSelect={() => onChoose(until)}>
            <span className="flex-1">{name}</span>
            <span className="pl-4 text-xs text-soft">{dates.soon(until.toISOString())}</span>
          </MenuItem>
        ))}
        <MenuItem onSelect={() => setPicks(true)}>{t.pickTime}</MenuItem>
      </Menu>
      <Dialog open={picks} onClose={() => setPicks(false)} title={t.snoozeUntil}>
        <TimeForm
          first={morningIn(now, 1)}
          onChoose={(until) => {
            setPicks(false)
            onChoose(until)
          }}
        />
      </Dialog>
    </>
  )
}

function TimeForm({ first, onChoose }: { first: Date; onChoose(until: Date): void }) {
  const t = useTexts(teamTexts)
  const now = new Date()
  const [day, setDay] = useState(first)
  const [time, setTime] = useState(timeOf(first))
  const until = atTime(day, time)
  const isPast = until <= now
  return (
    <Form onSubmit={() => !isPast && onChoose(until)}>
      <Calendar label={t.day} value={day} min={now} onChange={setDay} />
      <div className="mt-4 flex items-center justify-between gap-3">
        <span className="flex items-center gap-2 text-sm font-semibold">
          {t.time}
          <TimeField label={t.time} value={time} isWrong={isPast} onChange={setTime} />
        </span>
        <Button type="submit" look="main" disabled={isPast || time === ''}>
          {t.snooze}
        </Button>
      </div>
    </Form>
  )
}

function inHours(now: Date, hours: number): Date {
  const then = new Date(now)
  then.setHours(then.getHours() + hours, 0, 0, 0)
  return then
}

function morningIn(now: Date, days: number): Date {
  const then = new Date(now)
  then.setDate(then.getDate() + days)
  then.setHours(MORNING_HOUR, 0, 0, 0)
  return then
}

const timeOf = (at: Date) =>
  [at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':')

function atTime(day: Date, time: string): Date {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const then = new Date(day)
  then.setHours(hour, minute, 0, 0)
  return then
}
