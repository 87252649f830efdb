import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

import { inboxTexts } from '../../i18n/inbox.ts'
import { useTexts } from '../../i18n/language.tsx'
import { ContactList } from '../../people/contact-list.tsx'
import { isAtEnd, useNumberFormat } from '../../people/number-format.ts'
import { useContactsFor } from '../../people/use-contacts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { withoutSeparators } from '../../ui/phone.ts'

/** Opens the thread with a contact or number, known or not; the text is written there. */
export function NewText({ open, onClose }: { open: boolean; onClose(): void }) {
  const t = useTexts(inboxTexts)
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const format = useNumberFormat()
  const isName = /\p{L}/u.test(typed)
  const { contacts, only } = useContactsFor(typed)
  const openThread = (phone: string) => {
    onClose()
    setTyped('')
    void navigate({ to: '/inbox/$phone', params: { phone } })
  }
  const start = () => {
    if (!isName) return openThread(withoutSeparators(typed))
    if (only) openThread(only.phone)
  }
  return (
    <Dialog open={open} onClose={onClose} title={t.newText}>
      <Form onSubmit={start}>
        <TextField
          label={t.newTextTo}
          hint={t.newTextHint}
          autoComplete="off"
          required
          pattern={isName ? undefined : '\\+?[\\d\\s\\(\\).\\-]{6,24}'}
          value={typed}
          onChange={({ target }) => setTyped(isAtEnd(target) ? format(target.value) : target.value)}
        />
        <ContactList contacts={contacts} onChoose={({ phone }) => openThread(phone)} />
        <div className="mt-4 flex justify-end">
          <Button type="submit" look="main" disabled={isName && !only}>
            {t.start}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
