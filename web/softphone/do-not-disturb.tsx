import { useQuery } from '@tanstack/react-query'
import { BellOff, BellRing } from 'lucide-react'

import { useChange } from '../api/change.ts'
import { answerOf, client } from '../api/client.ts'
import { useLanguage, useTexts } from '../i18n/language.tsx'
import { IconButton } from '../ui/button.tsx'
import { Menu, MenuItem, MenuLabel } from '../ui/menu.tsx'
import { doNotDisturbQuery } from './queries.ts'
import { phoneTexts } from './texts.ts'

const MINUTES = [30, 60, 240]

/** For a while, or until it is switched off. */
export function DoNotDisturbMenu({ employeeId: id }: { employeeId: string }) {
  const t = useTexts(phoneTexts)
  const { language } = useLanguage()
  const { data } = useQuery(doNotDisturbQuery(id))
  const set = useChange(
    ({ enabled, minutes }: { enabled: boolean; minutes?: number }) =>
      answerOf(
        client.PUT('/api/v1/employees/{id}/do_not_disturb', {
          params: { path: { id } },
          body: {
            enabled,
            expires_at: minutes === undefined ? null : new Date(Date.now() + minutes * 60_000).toISOString(),
          },
        }),
      ),
    { touches: [['employees']] },
  )
  const isOn = data?.enabled ?? false
  const until = data?.expires_at
    ? t.dndUntil(
        new Date(data.expires_at).toLocaleTimeString(language, { hour: '2-digit', minute: '2-digit' }),
      )
    : t.doNotDisturb
  return (
    <Menu
      side="top"
      trigger={
        <IconButton label={isOn ? until : t.doNotDisturb} aria-pressed={isOn}>
          {isOn ? <BellOff size={18} className="text-wrong" /> : <BellRing size={18} />}
        </IconButton>
      }
    >
      <MenuLabel>{isOn ? until : t.doNotDisturb}</MenuLabel>
      {isOn && <MenuItem onSelect={() => set.mutate({ enabled: false })}>{t.dndOff}</MenuItem>}
      {MINUTES.map((minutes) => (
        <MenuItem key={minutes} onSelect={() => set.mutate({ enabled: true, minutes })}>
          {t.dndMinutes(minutes)}
        </MenuItem>
      ))}
      <MenuItem onSelect={() => set.mutate({ enabled: true })}>{t.dndForever}</MenuItem>
    </Menu>
  )
}
