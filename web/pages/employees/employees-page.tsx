import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'

import { useChange } from '../../api/change.ts'
import { ApiError } from '../../api/client.ts'
import { deleteEmployee, type Employee, employeesQuery } from '../../api/employees.ts'
import { sessionQuery } from '../../api/session.ts'
import { employeeTexts } from '../../i18n/employees.ts'
import { useTexts } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { Badge, Card, Page } from '../../ui/page.tsx'
import { EmptyState, Loaded } from '../../ui/states.tsx'
import { EmployeeForm } from './employee-form.tsx'
import { EmployeeMenu } from './employee-menu.tsx'
import { Presence } from './presence.tsx'
import { RemoveEmployee } from './remove-employee.tsx'

type Doing = { what: 'invite' } | { what: 'edit' | 'remove'; employee: Employee }

export default function EmployeesPage() {
  const t = useTexts(employeeTexts)
  const employees = useQuery(employeesQuery())
  const me = useQuery(sessionQuery()).data?.employee.id
  const [doing, setDoing] = useState<Doing>()
  const remove = useChange(deleteEmployee, {
    touches: [['employees']],
    said: t.deleted,
    quietAbout: isStillRung,
  })
  const done = () => setDoing(undefined)
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        <Button look="main" onClick={() => setDoing({ what: 'invite' })}>
          <Plus size={16} aria-hidden="true" /> {t.invite}
        </Button>
      }
    >
      <StillRung refusal={remove.error} />
      <Card>
        <Loaded query={employees}>
          {(employees) =>
            employees.length === 0 ? (
              <EmptyState drawing="people" title={t.title} />
            ) : (
              <ul className="divide-y">
                {employees.map((employee) => (
                  <li key={employee.id} className="flex items-center gap-3 px-4 py-2.5">
                    <div className="grid min-w-0 flex-1 items-center gap-x-4 gap-y-1 sm:grid-cols-[1.3fr_1fr]">
                      <div className="min-w-0">
                        <p className="truncate font-medium">
                          <bdi>{employee.name}</bdi>{' '}
                          {employee.id === me && <span className="text-sm text-soft">({t.you})</span>}
                        </p>
                        <p className="truncate text-sm text-soft">{employee.email}</p>
                      </div>
                      <div className="flex flex-wrap gap-1.5">
                        {employee.invitation_pending && <Badge>{t.pending}</Badge>}
                        {employee.email_confirmation_pending && <Badge tone="warn">{t.unconfirmed}</Badge>}
                        <Presence employee={employee} />
                      </div>
                    </div>
                    <EmployeeMenu
                      employee={employee}
                      onEdit={() => setDoing({ what: 'edit', employee })}
                      onRemove={employee.id === me ? undefined : () => setDoing({ what: 'remove', employee })}
                    />
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </Card>
      {doing?.what === 'invite' && <EmployeeForm onClose={done} />}
      {doing?.what === 'edit' && <EmployeeForm employee={doing.employee} onClose={done} />}
      {doing?.what === 'remove' && (
        <RemoveEmployee
          employee={doing.employee}
          onClose={done}
          onConfirm={() => remove.mutate(doing.employee.id)}
        />
      )}
    </Page>
  )
}

const isStillRung = (error: ApiError) => error.code === 'employee_is_call_target'

/** Why an employee could not be removed, and where to change that. */
function StillRung({ refusal }: { refusal: Error | null }) {
  const t = useTexts(employeeTexts)
  if (!(refusal instanceof ApiError) || !isStillRung(refusal)) return null
  const numbers = refusal.body.business_numbers as { id: string; name: string }[]
  return (
    <div role="alert" className="mb-4 rounded-xl bg-warn-ground px-4 py-3 text-sm text-warn">
      <p>{t.stillRung}</p>
      <ul className="mt-1 flex flex-wrap gap-x-4">
        {numbers.map(({ id, name }) => (
          <li key={id}>
            <Link to="/numbers/$id" params={{ id }} className="font-semibold underline">
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
