import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft, Combine } from 'lucide-react'
import { useState } from 'react'

import { type Contact, doublesQuery } from '../../api/contacts.ts'
import { doubleTexts } from '../../i18n/doubles.ts'
import { useTexts } from '../../i18n/language.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { EmptyState, Loaded } from '../../ui/states.tsx'
import { MergeDialog } from './merge-dialog.tsx'

/** Contacts that may be the same person. */
export default function DoublesPage() {
  const t = useTexts(doubleTexts)
  const doubles = useQuery(doublesQuery())
  const [merging, setMerging] = useState<Contact[]>()
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        <Link to="/contacts" className={buttonClass()}>
          <ArrowLeft size={16} aria-hidden="true" /> {t.back}
        </Link>
      }
    >
      <Loaded query={doubles}>
        {({ groups, more }) =>
          groups.length === 0 ? (
            <Card>
              <EmptyState drawing="contacts" title={t.empty}>
                {t.emptyHint}
              </EmptyState>
            </Card>
          ) : (
            <>
              <ul className="flex flex-col gap-3">
                {groups.map(({ contacts }) => (
                  <li key={contacts.map(({ id }) => id).join()}>
                    <Group contacts={contacts} onMerge={() => setMerging(contacts)} />
                  </li>
                ))}
              </ul>
              {more && <p className="mt-3 text-sm text-soft">{t.more}</p>}
            </>
          )
        }
      </Loaded>
      {merging && <MergeDialog contacts={merging} onClose={() => setMerging(undefined)} />}
    </Page>
  )
}

function Group({ contacts, onMerge }: { contacts: Contact[]; onMerge(): void }) {
  const t = useTexts(doubleTexts)
  return (
    <Card className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <ul className="min-w-0 flex-1 basis-72 divide-y">
        {contacts.map((contact) => (
          <li key={contact.id} className="grid gap-x-4 py-1.5 sm:grid-cols-[1.2fr_1fr_1.2fr]">
            <p className="min-w-0">
              <span className="block truncate font-medium">{contact.name ?? contact.phone_formatted}</span>
              {contact.company_name && (
                <span className="block truncate text-sm text-soft">{contact.company_name}</span>
              )}
            </p>
            <p className="tabular-nums">{contact.phone_formatted}</p>
            <p className="truncate text-soft">{contact.email}</p>
          </li>
        ))}
      </ul>
      <Button aria-label={t.mergeNamed(contacts[0]!.name ?? contacts[0]!.email ?? '')} onClick={onMerge}>
        <Combine size={16} aria-hidden="true" /> {t.merge}
      </Button>
    </Card>
  )
}
