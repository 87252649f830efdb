import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Combine, Download, MessageSquare, Pencil, Phone, Plus, Trash2, Upload } from 'lucide-react'
import { useDeferredValue, useState } from 'react'

import { useChange } from '../../api/change.ts'
import {
  type Contact,
  type ContactOrder,
  contactSearchQuery,
  CONTACT_CHANGES,
  contactsQuery,
  deleteContact,
} from '../../api/contacts.ts'
import { contactTexts } from '../../i18n/contacts.ts'
import { doubleTexts } from '../../i18n/doubles.ts'
import { useTexts } from '../../i18n/language.tsx'
import { shellTexts } from '../../i18n/shell.ts'
import { dialNumber } from '../../softphone/dialing/dial.ts'
import { Button, buttonClass, IconButton } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { NARROW_INPUT } from '../../ui/field.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { EmptyState, Loaded } from '../../ui/states.tsx'
import { ContactForm } from './contact-form.tsx'
import { downloadContacts } from './export-contacts.ts'
import { ImportContacts } from './import-contacts.tsx'

type Doing = { what: 'add' | 'import' } | { what: 'edit' | 'delete'; contact: Contact }

export default function ContactsPage() {
  const t = useTexts(contactTexts)
  const doubles = useTexts(doubleTexts)
  const common = useTexts(shellTexts)
  const queries = useQueryClient()
  const [typed, setTyped] = useState('')
  const [order, setOrder] = useState<ContactOrder>('name')
  const wanted = useDeferredValue(typed.trim())
  const found = useInfiniteQuery({
    ...contactSearchQuery(wanted, order),
    placeholderData: keepPreviousData,
  })
  const exported = useChange(() => queries.fetchQuery({ ...contactsQuery(), staleTime: 0 }), {
    touches: [],
    onDone: (contacts) => void downloadContacts(contacts),
  })
  const isEmpty = wanted === '' && found.data?.pages[0]?.total === 0
  const [doing, setDoing] = useState<Doing>()
  const remove = useChange(deleteContact, {
    touches: CONTACT_CHANGES,
    said: t.deleted,
  })
  const done = () => setDoing(undefined)
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        <>
          <Link to="/contacts/doubles" className={buttonClass()}>
            <Combine size={16} aria-hidden="true" /> {doubles.find}
          </Link>
          <Button onClick={() => setDoing({ what: 'import' })}>
            <Upload size={16} aria-hidden="true" /> {t.import}
          </Button>
          <Button disabled={!found.data || isEmpty || exported.isPending} onClick={() => exported.mutate()}>
            <Download size={16} aria-hidden="true" /> {t.export}
          </Button>
          <Button look="main" onClick={() => setDoing({ what: 'add' })}>
            <Plus size={16} aria-hidden="true" /> {t.add}
          </Button>
        </>
      }
    >
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <SearchBox label={t.search} value={typed} onChange={setTyped} className="min-w-44 flex-1" />
        <select
          aria-label={t.order}
          className={`${NARROW_INPUT} h-9 py-0`}
          value={order}
          onChange={(event) => setOrder(event.target.value as ContactOrder)}
        >
          <option value="name">{t.byName}</option>
          <option value="newest">{t.newestFirst}</option>
        </select>
      </div>
      <p role="status" className="mb-2 min-h-5 text-sm text-soft tabular-nums">
        {found.data && countOf(t, found.data.pages[0]?.total, wanted !== '')}
      </p>
      <Card>
        <Loaded query={found}>
          {({ pages }) => {
            const contacts = pages.flatMap(({ items }) => items)
            if (contacts.length === 0) {
              return (
                <EmptyState drawing="contacts" title={isEmpty ? t.empty : t.nothingFound}>
                  {isEmpty ? t.emptyHint : t.searchHint}
                </EmptyState>
              )
            }
            return (
              <>
                <ul className="divide-y">
                  {contacts.map((contact) => (
                    <ContactRow key={contact.id} contact={contact} onDo={setDoing} />
                  ))}
                </ul>
                {found.hasNextPage && (
                  <LoadMore
                    label={common.showMore}
                    isLoading={found.isFetchingNextPage}
                    hasFailed={found.isFetchNextPageError}
                    onMore={() => void found.fetchNextPage()}
                  />
                )}
              </>
            )
          }}
        </Loaded>
      </Card>
      {doing?.what === 'add' && <ContactForm contact={null} onClose={done} />}
      {doing?.what === 'edit' && <ContactForm contact={doing.contact} onClose={done} />}
      {doing?.what === 'import' && <ImportContacts onClose={done} />}
      {doing?.what === 'delete' && (
        <ConfirmDialog
          open
          onClose={done}
          onConfirm={() => remove.mutate(doing.contact.id)}
          title={t.deleteTitle(doing.contact.name ?? doing.contact.phone_formatted)}
          description={t.deleteHint}
          confirm={common.delete}
        />
      )}
    </Page>
  )
}

function ContactRow({ contact, onDo }: { contact: Contact; onDo(doing: Doing): void }) {
  const t = useTexts(contactTexts)
  const common = useTexts(shellTexts)
  return (
    <li className="flex items-center gap-1 px-4 py-2.5">
      <div className="grid min-w-0 flex-1 items-center gap-x-4 sm:grid-cols-[1.2fr_1fr_1.2fr]">
        <p className="min-w-0">
          <span className="block truncate font-medium">{contact.name ?? contact.phone_formatted}</span>
          {contact.company_name && (
            <span className="block truncate text-sm text-soft">{contact.company_name}</span>
          )}
        </p>
        <p className="tabular-nums">{contact.phone_formatted}</p>
        <p className="truncate text-soft">{contact.email}</p>
      </div>
      <Link
        to="/inbox/$phone"
        params={{ phone: contact.phone }}
        aria-label={t.open}
        title={t.open}
        className={buttonClass({ look: 'bare', size: 'icon' })}
      >
        <MessageSquare size={17} aria-hidden="true" />
      </Link>
      <IconButton label={t.call} onClick={() => dialNumber(contact.phone)}>
        <Phone size={16} />
      </IconButton>
      <IconButton label={common.edit} onClick={() => onDo({ what: 'edit', contact })}>
        <Pencil size={16} />
      </IconButton>
      <IconButton label={common.delete} onClick={() => onDo({ what: 'delete', contact })}>
        <Trash2 size={16} />
      </IconButton>
    </li>
  )
}

/** A search that finds thousands does not count them. */
function countOf(
  t: (typeof contactTexts)['en'],
  total: number | null | undefined,
  isSearch: boolean,
): string {
  if (typeof total !== 'number') return isSearch ? t.foundMany : t.countMany
  return isSearch ? t.foundCount(total) : t.count(total)
}
