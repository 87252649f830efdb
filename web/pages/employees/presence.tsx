import type { Employee } from '../../api/employees.ts'
import { useDates } from '../../i18n/dates.ts'
import { employeeTexts } from '../../i18n/employees.ts'
import { useTexts } from '../../i18n/language.tsx'
import { Badge, type Tone } from '../../ui/page.tsx'

const TONES: Record<Employee['status'], Tone> = {
  on_call: 'accent',
  do_not_disturb: 'warn',
  ringing: 'accent',
  available: 'good',
  logged_out: 'plain',
  unknown: 'plain',
}

/** The status of an employee, as text and colour. */
export function Presence({ employee }: { employee: Employee }) {
  const t = useTexts(employeeTexts)
  const dates = useDates()
  const { status, do_not_disturb, do_not_disturb_expires_at: expires } = employee
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5">
      <Badge tone={TONES[status]}>
        <span aria-hidden="true" className="size-1.5 rounded-full bg-current" /> {t[status]}
      </Badge>
      {do_not_disturb && status !== 'do_not_disturb' && <Badge tone="warn">{t.do_not_disturb}</Badge>}
      {do_not_disturb && expires && (
        <span className="text-xs text-soft">{t.until(dates.brief(expires))}</span>
      )}
    </span>
  )
}
