import { useQuery } from '@tanstack/react-query'

import { employeesQuery } from '../../../api/employees.ts'
import { sessionQuery } from '../../../api/session.ts'
import { useTexts } from '../../../i18n/language.tsx'
import { teamTexts } from '../../../i18n/team-inbox.ts'
import { MenuChoice } from '../../../ui/menu.tsx'

const NOBODY = ''

interface AssigneeChoiceProps {
  assignee: { id: string } | null
  onChoose(employeeId: string | null): void
}

/** The items of a menu: oneself first. */
export function AssigneeChoice({ assignee, onChoose }: AssigneeChoiceProps) {
  const t = useTexts(teamTexts)
  const employees = useQuery(employeesQuery()).data ?? []
  const self = useQuery(sessionQuery()).data?.employee.id
  const sorted = employees.toSorted(
    (a, b) => Number(b.id === self) - Number(a.id === self) || a.name.localeCompare(b.name),
  )
  const options = sorted.map(({ id, name }) => [id, id === self ? t.me(name) : name] as const)
  return (
    <MenuChoice
      label={t.assignTo}
      value={assignee?.id ?? NOBODY}
      options={[[NOBODY, t.nobody], ...options]}
      onChange={(id) => onChoose(id === NOBODY ? null : id)}
    />
  )
}
