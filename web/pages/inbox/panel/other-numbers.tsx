import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'

import { contactNumbersQuery, contactSuggestionsQuery } from '../../../api/contacts.ts'
import { useTexts } from '../../../i18n/language.tsx'
import { teamTexts } from '../../../i18n/team-inbox.ts'
import type { KnownContact } from '../../contacts/contact-form.tsx'
import { PanelSection } from './section.tsx'

/** Those of the contact, and of others with the same name or e-mail address, who are the same person. */
export function OtherNumbers({ phone: shown, contact }: { phone: string; contact: KnownContact }) {
  const t = useTexts(teamTexts)
  const known = contact.name ?? contact.email ?? ''
  const { data } = useQuery({ ...contactSuggestionsQuery(known), enabled: known !== '' })
  const { data: own } = useQuery(contactNumbersQuery(contact.id))
  const doubles = (data ?? []).filter(
    ({ id, name, email }) =>
      id !== contact.id &&
      ((email !== null && email === contact.email) || (name !== null && name === contact.name)),
  )
  const others = [
    ...(own ?? []).map(({ phone, phone_formatted }) => ({ phone, phone_formatted, company_name: null })),
    ...doubles,
  ].filter(({ phone }) => phone !== shown)
  if (others.length === 0) return null
  return (
    <PanelSection title={t.otherNumbers}>
      <ul className="flex flex-col gap-1 text-sm">
        {others.map(({ phone, phone_formatted, company_name }) => (
          <li key={phone}>
            <Link
              to="/inbox/$phone"
              params={{ phone }}
              className="-mx-2 flex gap-2 rounded-lg px-2 py-1 hover:bg-hover"
            >
              <span className="flex-1 text-accent underline">{phone_formatted}</span>
              <span className="truncate text-soft">{company_name}</span>
            </Link>
          </li>
        ))}
      </ul>
    </PanelSection>
  )
}
