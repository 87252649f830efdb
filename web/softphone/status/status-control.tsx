import { ChevronDown } from 'lucide-react'
import { useState } from 'react'

import { useTexts } from '../../i18n/language.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../ui/menu.tsx'
import type { Phone } from '../phone/phone.ts'
import { isLive } from '../phone/state.ts'
import { APPEARANCES, useStatusText } from './appearance.ts'
import { useSetDoNotDisturb } from './set-do-not-disturb.ts'
import type { Status } from './status.ts'
import { statusTexts } from './texts.ts'
import { UntilDialog } from './until-dialog.tsx'
import { inAnHour, tomorrowMorning } from './until.ts'
import { useStatus } from './use-status.ts'

interface StatusControlProps {
  phone: Phone
  employeeId: string
  /** Where its menu opens. */
  side: 'top' | 'bottom'
}

/** Says whether a call would reach the employee, and changes it. */
export function StatusControl({ phone, employeeId, side }: StatusControlProps) {
  const t = useTexts(statusTexts)
  const status = useStatus(phone, employeeId)
  const { title, detail, whole } = useStatusText(status)
  const [isAsking, setAsking] = useState(false)
  const set = useSetDoNotDisturb()
  const disturbAfter = (until: Date | null) =>
    set.mutate({ id: employeeId, enabled: true, expires_at: until?.toISOString() ?? null })
  return (
    <>
      <Menu
        align="start"
        side={side}
        trigger={
          <button
            type="button"
            data-status={status.is}
            className="flex w-full min-w-0 items-center gap-2.5 rounded-lg px-2 py-1.5 text-left hover:bg-hover"
          >
            <span className="sr-only">{`${t.yourStatus}: ${whole}`}</span>
            <StatusIcon status={status} />
            <span aria-hidden="true" className="min-w-0 flex-1 leading-tight">
              <span className="block text-sm font-semibold">{title}</span>
              {detail !== undefined && <span className="block text-xs text-soft">{detail}</span>}
            </span>
            <ChevronDown size={15} className="shrink-0 text-soft" aria-hidden="true" />
          </button>
        }
      >
        <MenuLabel>{t.kinds.do_not_disturb}</MenuLabel>
        {status.doNotDisturb && (
          <MenuItem onSelect={() => set.mutate({ id: employeeId, enabled: false })}>
            {t.switchDndOff}
          </MenuItem>
        )}
        <MenuItem onSelect={() => disturbAfter(inAnHour(new Date()))}>{t.forAnHour}</MenuItem>
        <MenuItem onSelect={() => disturbAfter(tomorrowMorning(new Date()))}>{t.untilTomorrow}</MenuItem>
        <MenuItem onSelect={() => setAsking(true)}>{t.untilTime}</MenuItem>
        <MenuItem onSelect={() => disturbAfter(null)}>{t.untilOff}</MenuItem>
        <PhoneSwitch phone={phone} />
      </Menu>
      {isAsking && (
        <UntilDialog
          isPending={set.isPending}
          onClose={() => setAsking(false)}
          onChosen={(until) => {
            disturbAfter(until)
            setAsking(false)
          }}
        />
      )}
    </>
  )
}

export function StatusIcon({ status }: { status: Status }) {
  const { icon: Icon, colour } = APPEARANCES[status.is]
  return (
    <span aria-hidden="true" className={`grid size-8 shrink-0 place-items-center rounded-full ${colour}`}>
      <Icon size={16} />
    </span>
  )
}

/** Not during a call, which it would end. */
function PhoneSwitch({ phone }: { phone: Phone }) {
  const t = useTexts(statusTexts)
  const { state } = phone.view()
  if (isLive(state)) return null
  if (state.in === 'off' && state.why === 'unsupported') return null
  const [text, act] =
    state.in !== 'off'
      ? [t.switchOff, () => phone.switchOff()]
      : [state.why === 'other_tab' ? t.useHere : t.switchOn, () => phone.switchOn()]
  return (
    <>
      <MenuSeparator />
      <MenuLabel>{t.phone}</MenuLabel>
      <MenuItem onSelect={act}>{text}</MenuItem>
    </>
  )
}
