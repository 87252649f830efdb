import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { BookUser, Download, MessageSquare, Pencil, Phone, Plus, Trash2, Upload } from 'lucide-react'
import { useState } from 'react'

import { useChange } from '../../api/change.ts'
import { type Contact, contactsQuery, deleteContact } from '../../api/contacts.ts'
import { contactTexts } from '../../i18n/contacts.ts'
import { useTexts } from '../../i18n/language.tsx'
import { shellTexts } from '../../i18n/shell.ts'
import { dialNumber } from '../../softphone/dialing/dial.ts'
import { Button, buttonClass, IconButton } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { EmptyState, Loaded } from '../../ui/states.tsx'
import { ContactForm } from './contact-form.tsx'
import { downloadContacts } from './export-contacts.ts'
import { ImportContacts } from './import-contacts.tsx'

/** Rendering more rows would make typing slow. */
const ROWS_AT_ONCE = 100

type Doing = { what: 'add' | 'import' } | { what: 'edit' | 'delete'; contact: Contact }

export default function ContactsPage() {
  const t = useTexts(contactTexts)
  const common = useTexts(shellTexts)
  const contacts = useQuery(contactsQuery())
  const [typed, setTyped] = useState('')
  const [rows, setRows] = useState(ROWS_AT_ONCE)
  const [doing, setDoing] = useState<Doing>()
  const remove = useChange(deleteContact, {
    touches: [['contacts'], ['inbox'], ['activity']],
    said: t.deleted,
  })
  const done = () => setDoing(undefined)
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        <>
          <Button onClick={() => setDoing({ what: 'import' })}>
            <Upload size={16} aria-hidden="true" /> {t.import}
          </Button>
          <Button
            disabled={!contacts.data?.length}
            onClick={() => void downloadContacts(contacts.data ?? [])}
          >
            <Download size={16} aria-hidden="true" /> {t.export}
          </Button>
          <Button look="main" onClick={() => setDoing({ what: 'add' })}>
            <Plus size={16} aria-hidden="true" /> {t.add}
          </Button>
        </>
      }
    >
      <SearchBox
        label={t.search}
        value={typed}
        onChange={(text) => {
          setTyped(text)
          setRows(ROWS_AT_ONCE)
        }}
        className="mb-4"
      />
      <Card>
        <Loaded query={contacts}>
          {(contacts) => {
            const found = contacts.filter((contact) => matches(contact, typed))
            if (found.length === 0) {
              return (
                <EmptyState icon={BookUser} title={contacts.length === 0 ? t.empty : t.nothingFound}>
                  {contacts.length === 0 && t.emptyHint}
                </EmptyState>
              )
            }
            return (
              <>
                <ul className="divide-y">
                  {found.slice(0, rows).map((contact) => (
                    <ContactRow key={contact.id} contact={contact} onDo={setDoing} />
                  ))}
                </ul>
                {found.length > rows && (
                  <LoadMore key={rows} label={common.showMore} onMore={() => setRows(rows + ROWS_AT_ONCE)} />
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

function matches({ name, company_name, email, phone, note }: Contact, typed: string): boolean {
  const wanted = typed.trim().toLowerCase()
  const digits = wanted.replace(/\D/g, '')
  const isNumber = digits !== '' && /^[+\d\s().-]+$/.test(wanted)
  return isNumber
    ? phone.includes(digits)
    : [name, company_name, email, note].some((text) => text?.toLowerCase().includes(wanted)) || wanted === ''
}
