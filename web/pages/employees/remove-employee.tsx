import { useState } from 'react'

import type { Employee } from '../../api/employees.ts'
import { employeeTexts } from '../../i18n/employees.ts'
import { useTexts } from '../../i18n/language.tsx'
import { shellTexts } from '../../i18n/shell.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'

interface RemoveEmployeeProps {
  employee: Employee
  onClose(): void
  onConfirm(): void
}

/** Their phones and keys stop at once, so the name must be typed: the rows of a list are easily mistaken. */
export function RemoveEmployee({ employee: { name }, onClose, onConfirm }: RemoveEmployeeProps) {
  const t = useTexts(employeeTexts)
  const common = useTexts(shellTexts)
  const [typed, setTyped] = useState('')
  const isSame = plain(typed) === plain(name)
  const confirm = () => {
    if (!isSame) return
    onConfirm()
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={t.deleteTitle(name)} description={t.deleteHint}>
      <Form onSubmit={confirm}>
        <TextField
          label={t.deleteName(name)}
          autoComplete="off"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button type="submit" look="danger" disabled={!isSame}>
            {t.remove}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

const plain = (name: string) => name.normalize('NFC').trim().replace(/\s+/g, ' ').toLocaleLowerCase()
