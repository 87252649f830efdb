import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'

import { employeesQuery } from '../../api/employees.ts'
import { useTexts } from '../../i18n/language.tsx'
import { numberTexts } from '../../i18n/numbers.ts'
import { Loaded, MissingLine, Skeleton } from '../../ui/states.tsx'

interface EmployeeChoiceProps {
  chosen: string[]
  error?: string
  onChange(ids: string[]): void
}

export function EmployeeChoice({ chosen, error, onChange }: EmployeeChoiceProps) {
  const errorId = useId()
  const t = useTexts(numberTexts)
  const employees = useQuery(employeesQuery())
  const toggle = (id: string) =>
    onChange(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])
  return (
    <fieldset className="mb-4">
      <legend className="mb-1 text-sm font-semibold">{t.employees}</legend>
      <Loaded query={employees} waiting={<Skeleton className="h-8 w-full" />} missing={<MissingLine />}>
        {(employees) => (
          <div className="flex flex-wrap gap-2">
            {employees.map(({ id, name }) => (
              <label
                key={id}
                className="flex cursor-pointer items-center gap-2 rounded-lg border px-2.5 py-1 text-sm hover:bg-hover has-checked:border-accent has-checked:bg-accent-ground"
              >
                <input
                  type="checkbox"
                  className="accent-accent"
                  {...(error && { 'aria-invalid': true, 'aria-describedby': errorId })}
                  checked={chosen.includes(id)}
                  onChange={() => toggle(id)}
                />
                {name}
              </label>
            ))}
          </div>
        )}
      </Loaded>
      {error && (
        <p id={errorId} role="alert" className="mt-1 text-sm text-wrong">
          {error}
        </p>
      )}
    </fieldset>
  )
}
