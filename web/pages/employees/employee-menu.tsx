import { Ellipsis } from 'lucide-react'

import { useChange } from '../../api/change.ts'
import { type Employee, resendInvitation } from '../../api/employees.ts'
import { employeeTexts } from '../../i18n/employees.ts'
import { useTexts } from '../../i18n/language.tsx'
import { shellTexts } from '../../i18n/shell.ts'
import { useSetDoNotDisturb } from '../../softphone/status/set-do-not-disturb.ts'
import { IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../ui/menu.tsx'

const HOUR_MS = 60 * 60 * 1000

interface EmployeeMenuProps {
  employee: Employee
  onEdit(): void
  /** Nobody can remove themselves. */
  onRemove?(): void
}

export function EmployeeMenu({ employee, onEdit, onRemove }: EmployeeMenuProps) {
  const t = useTexts(employeeTexts)
  const common = useTexts(shellTexts)
  const change = useSetDoNotDisturb()
  const resend = useChange(resendInvitation, {
    touches: [],
    said: t.resent(employee.name),
  })
  const disturb = (expires_at: string | null) => change.mutate({ id: employee.id, enabled: true, expires_at })
  return (
    <Menu
      trigger={
        <IconButton label={`${t.actions}: ${employee.name}`}>
          <Ellipsis size={18} />
        </IconButton>
      }
    >
      {employee.do_not_disturb ? (
        <MenuItem onSelect={() => change.mutate({ id: employee.id, enabled: false })}>{t.dndOff}</MenuItem>
      ) : (
        <>
          <MenuLabel>{t.dnd}</MenuLabel>
          <MenuItem onSelect={() => disturb(new Date(Date.now() + HOUR_MS).toISOString())}>
            {t.forHour}
          </MenuItem>
          <MenuItem onSelect={() => disturb(midnight())}>{t.untilEvening}</MenuItem>
          <MenuItem onSelect={() => disturb(null)}>{t.untilOff}</MenuItem>
        </>
      )}
      <MenuSeparator />
      <MenuItem onSelect={onEdit}>{common.edit}</MenuItem>
      {employee.invitation_pending && (
        <MenuItem onSelect={() => resend.mutate(employee.id)}>{t.resend}</MenuItem>
      )}
      {onRemove && (
        <MenuItem danger onSelect={onRemove}>
          {t.remove}
        </MenuItem>
      )}
    </Menu>
  )
}

function midnight(): string {
  const end = new Date()
  end.setHours(24, 0, 0, 0)
  return end.toISOString()
}
