import { isFieldError, useChange } from '../../api/change.ts'
import { type Employee, type EmployeeInput, inviteEmployee, updateEmployee } from '../../api/employees.ts'
import { employeeTexts } from '../../i18n/employees.ts'
import { useTexts } from '../../i18n/language.tsx'
import { shellTexts } from '../../i18n/shell.ts'
import { TextField } from '../../ui/field.tsx'
import { FormDialog, useInput } from '../../ui/form.tsx'

/** Invites an employee, or edits one. */
export function EmployeeForm({ employee, onClose }: { employee?: Employee; onClose(): void }) {
  const t = useTexts(employeeTexts)
  const common = useTexts(shellTexts)
  const { input, bind, isChanged } = useInput({
    name: employee?.name ?? '',
    email: employee?.email ?? '',
    phone: employee?.phone ?? '',
  })
  const save = useChange(
    (input: EmployeeInput) => (employee ? updateEmployee(employee.id, input) : inviteEmployee(input)),
    {
      touches: [['employees'], ['session'], ['onboarding']],
      said: ({ email, email_confirmation_pending }) => {
        if (!employee) return t.invited
        return email_confirmation_pending && email !== employee.email ? t.confirmationSent : common.saved
      },
      onDone: onClose,
      quietAbout: isFieldError,
    },
  )
  return (
    <FormDialog
      title={employee ? t.edit : t.invite}
      submit={employee ? undefined : t.sendInvitation}
      isPending={save.isPending}
      error={save.error}
      isChanged={isChanged}
      onClose={onClose}
      onSubmit={() => save.mutate(input)}
    >
      <TextField label={t.name} required {...bind('name', save.error)} />
      <TextField label={t.email} type="email" required {...bind('email', save.error)} />
      <TextField label={t.phone} type="tel" {...bind('phone', save.error)} />
    </FormDialog>
  )
}
