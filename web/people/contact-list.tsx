import type { ReactNode } from 'react'

import type { Contact } from '../api/contacts.ts'
import { contactTexts } from '../i18n/contacts.ts'
import { useTexts } from '../i18n/language.tsx'

interface ContactListProps {
  contacts: Contact[]
  isDisabled?: boolean
  onChoose(contact: Contact): void
  /** Shown after each of them. */
  beside?(contact: Contact): ReactNode
}

/** The contacts whom a typed text may mean. */
export function ContactList({ contacts, isDisabled, onChoose, beside }: ContactListProps) {
  const t = useTexts(contactTexts)
  if (contacts.length === 0) return null
  return (
    <ul aria-label={t.title} className="rounded-xl border p-1">
      {contacts.map((contact) => {
        const name = contact.name ?? contact.company_name
        return (
          <li key={contact.id} className="flex items-center">
            <button
              type="button"
              disabled={isDisabled}
              className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2 rounded-lg px-2 py-1.5 text-left text-sm hover:bg-hover disabled:opacity-60"
              onClick={() => onChoose(contact)}
            >
              {name && <span className="min-w-0 flex-1 truncate font-semibold">{name}</span>}
              <span className="text-soft tabular-nums">{contact.phone_formatted}</span>
            </button>
            {beside?.(contact)}
          </li>
        )
      })}
    </ul>
  )
}
