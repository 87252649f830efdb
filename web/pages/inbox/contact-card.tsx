import { useState } from 'react'

import { inboxTexts } from '../../i18n/inbox.ts'
import { useTexts } from '../../i18n/language.tsx'
import { useReadableNumber } from '../../i18n/remote-numbers.ts'
import { Button } from '../../ui/button.tsx'
import { isPhoneNumber } from '../../ui/phone.ts'
import { ContactForm, type KnownContact } from '../contacts/contact-form.tsx'

/** The contact of the thread. */
export function ContactCard({ phone, contact }: { phone: string; contact: KnownContact | null }) {
  const t = useTexts(inboxTexts)
  const readable = useReadableNumber()
  const [editing, setEditing] = useState(false)
  return (
    <div className="p-5">
      <p className="text-lg font-semibold break-words">{contact?.name ?? readable(phone)}</p>
      {contact?.company_name && <p>{contact.company_name}</p>}
      <p className="text-soft">
        {contact ? readable(phone) : isPhoneNumber(phone) ? t.noContact : t.cannotReply}
      </p>
      {contact?.email && (
        <a href={`mailto:${contact.email}`} className="break-words text-accent underline">
          {contact.email}
        </a>
      )}
      {contact?.note && (
        <p className="mt-3 rounded-lg bg-hover px-3 py-2 text-sm whitespace-pre-wrap">{contact.note}</p>
      )}
      {isPhoneNumber(phone) && (
        <Button size="small" className="mt-4" onClick={() => setEditing(true)}>
          {contact ? t.editContact : t.addContact}
        </Button>
      )}
      {editing && <ContactForm contact={contact} phone={phone} onClose={() => setEditing(false)} />}
    </div>
  )
}
