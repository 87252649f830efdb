import { type FormEvent, useState } from 'react'

import { fieldError, isFieldError, useChange } from '../../api/change.ts'
import { type ContactInput, createContact, updateContact } from '../../api/contacts.ts'
import { contactTexts } from '../../i18n/contacts.ts'
import { useTexts } from '../../i18n/language.tsx'
import { shellTexts } from '../../i18n/shell.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'

export interface KnownContact {
  id: string
  name: string | null
  phone: string
  phone_formatted: string
  email: string | null
  company_name: string | null
  note: string | null
}

interface ContactFormProps {
  /** Whom to change; without, somebody is added. */
  contact: KnownContact | null
  phone?: string
  onClose(): void
}

export function ContactForm({ contact, phone = '', onClose }: ContactFormProps) {
  const t = useTexts(contactTexts)
  const common = useTexts(shellTexts)
  const [input, setInput] = useState({
    name: contact?.name ?? '',
    phone: contact?.phone ?? phone,
    email: contact?.email ?? '',
    company_name: contact?.company_name ?? '',
    note: contact?.note ?? '',
  })
  const save = useChange(
    (input: ContactInput) => (contact ? updateContact(contact.id, input) : createContact(input)),
    {
      touches: [['contacts'], ['inbox'], ['activity']],
      said: contact ? t.changed : t.added,
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
    <Dialog open onClose={onClose} title={contact ? t.edit : t.add}>
      <form onSubmit={submit}>
        <TextField label={t.name} autoComplete="off" {...bind('name')} />
        <TextField label={t.phone} hint={t.phoneHint} type="tel" required {...bind('phone')} />
        <TextField label={t.email} type="email" {...bind('email')} />
        <TextField label={t.company} {...bind('company_name')} />
        <TextArea label={t.note} {...bind('note')} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button type="submit" look="main" disabled={save.isPending}>
            {common.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
