import { type FormEvent, useState } from 'react'

import { fieldError, isFieldError, useChange } from '../../api/change.ts'
import { type Employee, type EmployeeInput, inviteEmployee, updateEmployee } from '../../api/employees.ts'
import { employeeTexts } from '../../i18n/employees.ts'
import { useTexts } from '../../i18n/language.tsx'
import { shellTexts } from '../../i18n/shell.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'

/** Invites somebody, or changes who is there. */
export function EmployeeForm({ employee, onClose }: { employee?: Employee; onClose(): void }) {
  const t = useTexts(employeeTexts)
  const common = useTexts(shellTexts)
  const [input, setInput] = useState({
    name: employee?.name ?? '',
    email: employee?.email ?? '',
    phone: employee?.phone ?? '',
  })
  const save = useChange(
    (input: EmployeeInput) => (employee ? updateEmployee(employee.id, input) : inviteEmployee(input)),
    {
      touches: [['employees'], ['session']],
      said: ({ email, email_confirmation_pending }) => {
        if (!employee) return t.invited
        return email_confirmation_pending && email !== employee.email ? t.confirmationSent : common.saved
      },
      onDone: onClose,
      quietAbout: isFieldError,
    },
  )
  const bind = (name: keyof typeof input) => ({
    value: input[name],
    error: fieldError(save.error, name),
    onChange: (event: { target: { value: string } }) => setInput({ ...input, [name]: event.target.value }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(input)
  }
  return (
    <Dialog open onClose={onClose} title={employee ? t.edit : t.invite}>
      <form onSubmit={submit}>
        <TextField label={t.name} required {...bind('name')} />
        <TextField label={t.email} type="email" required {...bind('email')} />
        <TextField label={t.phone} type="tel" {...bind('phone')} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button type="submit" look="main" disabled={save.isPending}>
            {employee ? common.save : t.sendInvitation}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
