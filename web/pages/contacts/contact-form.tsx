import { isFieldError, useChange } from '../../api/change.ts'
import { CONTACT_CHANGES, type ContactInput, createContact, updateContact } from '../../api/contacts.ts'
import { contactTexts } from '../../i18n/contacts.ts'
import { useTexts } from '../../i18n/language.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { FormDialog, useInput } from '../../ui/form.tsx'
import { FurtherNumbers } from './further-numbers.tsx'

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
  /** The contact to edit; null to add one. */
  contact: KnownContact | null
  phone?: string
  onClose(): void
}

export function ContactForm({ contact, phone = '', onClose }: ContactFormProps) {
  const t = useTexts(contactTexts)
  const { input, bind, isChanged } = useInput({
    name: contact?.name ?? '',
    phone: contact?.phone ?? phone,
    email: contact?.email ?? '',
    company_name: contact?.company_name ?? '',
    note: contact?.note ?? '',
  })
  const save = useChange(
    (input: ContactInput) => (contact ? updateContact(contact.id, input) : createContact(input)),
    {
      touches: CONTACT_CHANGES,
      said: contact ? t.changed : t.added,
      onDone: onClose,
      quietAbout: isFieldError,
    },
  )
  return (
    <FormDialog
      title={contact ? t.edit : t.add}
      isPending={save.isPending}
      error={save.error}
      isChanged={isChanged}
      onClose={onClose}
      onSubmit={() => save.mutate(input)}
    >
      <TextField label={t.name} autoComplete="off" {...bind('name', save.error)} />
      <TextField label={t.phone} hint={t.phoneHint} type="tel" required {...bind('phone', save.error)} />
      {contact && <FurtherNumbers contactId={contact.id} />}
      <TextField label={t.email} type="email" {...bind('email', save.error)} />
      <TextField label={t.company} {...bind('company_name', save.error)} />
      <TextArea label={t.note} {...bind('note', save.error)} />
    </FormDialog>
  )
}
