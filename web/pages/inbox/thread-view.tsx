import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowLeft, IdCard, Phone } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'

import { useChange } from '../../api/change.ts'
import { ApiError } from '../../api/client.ts'
import { type ActivityItem, activityQuery, markSeen } from '../../api/inbox.ts'
import { sessionQuery } from '../../api/session.ts'
import { Unreachable } from '../../connection/reachability.ts'
import { inboxTexts } from '../../i18n/inbox.ts'
import { useTexts } from '../../i18n/language.tsx'
import { useReadableNumber } from '../../i18n/remote-numbers.ts'
import { dialNumber } from '../../softphone/dialing/dial.ts'
import { Button, buttonClass, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { isDialable } from '../../ui/phone.ts'
import { EmptyState, Loaded } from '../../ui/states.tsx'
import type { KnownContact } from '../contacts/contact-form.tsx'
import { CustomerPanel } from './customer-panel.tsx'
import { ReplyArea } from './reply-area.tsx'
import { useEntries } from './team/notes.tsx'
import { ClosedNotice, ThreadActions } from './team/thread-actions.tsx'
import { Timeline } from './timeline.tsx'

/** All activity between the company and one customer. */
export function ThreadView({ phone }: { phone: string }) {
  const t = useTexts(inboxTexts)
  const activity = useInfiniteQuery(activityQuery(phone))
  const employeeId = useQuery(sessionQuery()).data?.employee.id
  const first = activity.data?.pages[0]
  useSeen(phone, first)
  useWholeNumber(phone, first?.phone_number)
  const pages = activity.data?.pages
  const isNoNumber = activity.error instanceof ApiError && 'phone_number' in activity.error.fields
  const items: ActivityItem[] = useMemo(() => pages?.flatMap((page) => page.items) ?? [], [pages])
  const entries = useEntries(phone, items, !activity.hasNextPage)
  if (isNoNumber) {
    return (
      <EmptyState drawing="offline" title={t.noNumber(phone)}>
        {t.noNumberHint}
      </EmptyState>
    )
  }
  return (
    <div className="flex h-full">
      <div className="flex min-w-0 flex-1 flex-col">
        <Header
          phone={phone}
          contact={first?.contact ?? null}
          observedAt={items.length > 0 ? first?.observed_at : undefined}
          isLoaded={first !== undefined}
        />
        <ClosedNotice phone={phone} />
        <div className="flex min-h-0 flex-1 flex-col">
          <Loaded query={activity}>
            {() =>
              entries.length === 0 ? (
                <EmptyState drawing="conversation" title={t.nothingYet}>
                  {t.nothingYetHint}
                </EmptyState>
              ) : (
                <Timeline items={entries}>
                  {activity.hasNextPage && (
                    <LoadMore
                      label={t.earlier}
                      isLoading={activity.isFetchingNextPage}
                      hasFailed={activity.isFetchNextPageError}
                      onMore={() => void activity.fetchNextPage()}
                    />
                  )}
                </Timeline>
              )
            }
          </Loaded>
        </div>
        {first && employeeId !== undefined && (
          <ReplyArea phone={phone} employeeId={employeeId} items={items} />
        )}
      </div>
      <aside
        aria-label={t.contact}
        className="hidden w-88 shrink-0 overflow-y-auto border-l bg-surface pb-16 xl:block"
      >
        {first && <CustomerPanel phone={phone} contact={first.contact} />}
      </aside>
    </div>
  )
}

interface HeaderProps {
  phone: string
  contact: KnownContact | null
  /** Undefined if nothing has passed with the number. */
  observedAt?: string
  isLoaded: boolean
}

function Header({ phone, contact, observedAt, isLoaded }: HeaderProps) {
  const t = useTexts(inboxTexts)
  const readable = useReadableNumber()
  const [showsPerson, setShowsPerson] = useState(false)
  return (
    <header className="@container flex items-center gap-2 border-b bg-surface px-3 py-2.5 md:px-5">
      <Link
        to="/inbox"
        aria-label={t.back}
        className={`${buttonClass({ look: 'bare', size: 'icon' })} md:hidden`}
      >
        <ArrowLeft size={18} />
      </Link>
      <div className="min-w-0 flex-1">
        <h2 className="truncate font-semibold">
          {contact?.name ?? contact?.phone_formatted ?? readable(phone)}
        </h2>
        {contact?.name && (
          <p className="truncate text-sm text-soft">
            {[contact.phone_formatted, contact.company_name].filter(Boolean).join(' · ')}
          </p>
        )}
      </div>
      {observedAt !== undefined && <ThreadActions phone={phone} observedAt={observedAt} />}
      {isLoaded && (
        // For screens without room for it beside the thread.
        <IconButton label={t.contact} className="xl:hidden" onClick={() => setShowsPerson(true)}>
          <IdCard size={18} />
        </IconButton>
      )}
      {isDialable(phone) && (
        <Button size="small" aria-label={t.call} onClick={() => dialNumber(phone)}>
          <Phone size={15} aria-hidden="true" /> <span className="hidden @lg:inline">{t.call}</span>
        </Button>
      )}
      <Dialog open={showsPerson} onClose={() => setShowsPerson(false)} title={t.contact}>
        <div className="-mx-5 -mb-3">
          <CustomerPanel phone={phone} contact={contact} />
        </div>
      </Dialog>
    </header>
  )
}

/** A number may be typed in its national form; everything else identifies the thread by E.164. */
function useWholeNumber(phone: string, whole: string | undefined): void {
  const navigate = useNavigate()
  useEffect(() => {
    if (whole === undefined || whole === phone) return
    void navigate({ to: '/inbox/$phone', params: { phone: whole }, replace: true })
  }, [phone, whole, navigate])
}

/** Marks the open thread as seen, up to what the server had observed. */
function useSeen(phone: string, page?: { observed_at: string; items: { seen_at: string | null }[] }): void {
  const { mutate } = useChange(markSeen, {
    touches: [['inbox'], ['unseen']],
    // The thread is read again when the service is back, and then marked.
    quietAbout: (error) => error instanceof Unreachable,
  })
  const unseen = page?.items.some(
    (item) => 'direction' in item && item.direction === 'inbound' && item.seen_at === null,
  )
  const through = page?.observed_at
  useEffect(() => {
    if (!unseen || through === undefined) return undefined
    const mark = () => document.visibilityState === 'visible' && mutate({ phone, through })
    mark()
    document.addEventListener('visibilitychange', mark)
    return () => document.removeEventListener('visibilitychange', mark)
  }, [phone, unseen, through, mutate])
}
