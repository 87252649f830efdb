import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

import { callerContextQuery } from '../../api/caller-context.ts'
import { CallerContext } from '../../caller-context/caller-context.tsx'
import { isPhoneNumber } from '../../ui/phone.ts'
import type { KnownContact } from '../contacts/contact-form.tsx'
import { ContactCard } from './contact-card.tsx'
import { OtherNumbers } from './panel/other-numbers.tsx'
import { RecentCalls } from './panel/recent-calls.tsx'
import { NotesSection, TeamSection } from './panel/team-section.tsx'

interface PersonProps {
  phone: string
  contact: KnownContact | null
}

/** The customer: as a contact, and in the company's integrations. */
export function CustomerPanel({ phone, contact }: PersonProps) {
  useLearnedContact(phone, contact)
  return (
    <>
      <ContactCard key={contact?.id ?? phone} phone={phone} contact={contact} />
      <TeamSection phone={phone} />
      <NotesSection phone={phone} />
      <RecentCalls phone={phone} />
      {contact && <OtherNumbers phone={phone} contact={contact} />}
      {isPhoneNumber(phone) && <CallerContext phone={phone} />}
    </>
  )
}

/** A look-up may create or complete the contact: then the queries that show it are refetched. */
function useLearnedContact(phone: string, shown: KnownContact | null): void {
  const queries = useQueryClient()
  const { data } = useQuery(callerContextQuery(phone))
  const learned = data?.contact
  const isNew =
    learned !== undefined &&
    learned !== null &&
    (['id', 'name', 'email', 'company_name', 'note'] as const).some(
      (field) => learned[field] !== shown?.[field],
    )
  useEffect(() => {
    if (!isNew) return
    for (const queryKey of [['activity', phone], ['inbox'], ['contacts']])
      void queries.invalidateQueries({ queryKey })
  }, [isNew, phone, queries])
}
