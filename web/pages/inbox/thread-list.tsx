import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Inbox, MessageSquare, Phone, PhoneMissed, SquarePen, Voicemail } from 'lucide-react'
import { useDeferredValue, useState } from 'react'

import { type Thread, threadsQuery, unseenQuery } from '../../api/inbox.ts'
import { numbersQuery } from '../../api/numbers.ts'
import { useDates } from '../../i18n/dates.ts'
import { inboxTexts } from '../../i18n/inbox.ts'
import { useTexts } from '../../i18n/language.tsx'
import { useReadableNumber } from '../../i18n/remote-numbers.ts'
import { shellTexts } from '../../i18n/shell.ts'
import { ROW, rowKeys } from '../../keys/rows.ts'
import { useKeys } from '../../keys/use-keys.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { INPUT } from '../../ui/field.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { EmptyState, Loaded } from '../../ui/states.tsx'
import { NewText } from './new-text.tsx'

export function ThreadList({ open }: { open?: string }) {
  const t = useTexts(inboxTexts)
  const common = useTexts(shellTexts)
  const [typed, setTyped] = useState('')
  const [numberId, setNumberId] = useState('')
  const [unseen, setUnseen] = useState(false)
  const [writing, setWriting] = useState(false)
  const query = useDeferredValue(typed.trim())
  const numbers = useQuery(numbersQuery()).data ?? []
  const counts = useQuery(unseenQuery()).data?.main_numbers ?? []
  const unseenOf = (id: string) => counts.find((number) => number.id === id)?.unseen_count ?? 0
  const found = useInfiniteQuery({
    ...threadsQuery({
      ...(query !== '' && { query }),
      ...(numberId !== '' && { business_number_id: numberId }),
      ...(unseen && { unseen: true }),
    }),
    placeholderData: keepPreviousData,
  })
  useKeys(rowKeys({ isOpened: true }))
  const filtered = query !== '' || numberId !== '' || unseen
  return (
    <>
      <div className="flex flex-col gap-2 border-b p-3">
        <div className="flex gap-1">
          <SearchBox
            label={t.search}
            placeholder={t.searchBriefly}
            value={typed}
            onChange={setTyped}
            className="flex-1"
          />
          <IconButton label={t.newText} onClick={() => setWriting(true)}>
            <SquarePen size={18} />
          </IconButton>
        </div>
        <div className="flex gap-2">
          <select
            aria-label={t.number}
            className={`${INPUT} h-8 min-w-0 flex-1 py-0 text-sm`}
            value={numberId}
            onChange={(event) => setNumberId(event.target.value)}
          >
            <option value="">{t.allNumbers}</option>
            {numbers.map(({ id, name }) => (
              <option key={id} value={id}>
                {unseenOf(id) > 0 ? t.numberUnseen(name, unseenOf(id)) : name}
              </option>
            ))}
          </select>
          <Button
            size="small"
            aria-pressed={unseen}
            className="h-8 aria-pressed:border-accent aria-pressed:bg-accent-ground aria-pressed:text-accent"
            onClick={() => setUnseen(!unseen)}
          >
            {t.onlyUnseen}
          </Button>
        </div>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <Loaded query={found}>
          {({ pages }) => {
            const threads = pages.flatMap((page) => page.threads)
            if (threads.length === 0) {
              return (
                <EmptyState icon={Inbox} title={filtered ? t.nothingFound : t.empty}>
                  {filtered ? t.nothingFoundHint : t.emptyHint}
                </EmptyState>
              )
            }
            return (
              <>
                <ul>
                  {threads.map((thread) => (
                    <ThreadRow
                      key={thread.phone_number}
                      thread={thread}
                      open={thread.phone_number === open}
                    />
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
      </div>
      <NewText open={writing} onClose={() => setWriting(false)} />
    </>
  )
}

function ThreadRow({ thread, open }: { thread: Thread; open: boolean }) {
  const t = useTexts(inboxTexts)
  const dates = useDates()
  const readable = useReadableNumber()
  const { phone_number, contact, unseen_count, preview, latest_item } = thread
  const Icon = iconOf(latest_item)
  return (
    <li>
      <Link
        to="/inbox/$phone"
        params={{ phone: phone_number }}
        aria-current={open ? 'page' : undefined}
        {...ROW}
        className={`flex gap-3 border-b px-3 py-2.5 outline-offset-[-2px] hover:bg-hover ${open ? 'bg-accent-ground' : ''}`}
      >
        <Icon
          size={16}
          aria-hidden="true"
          className={`mt-0.5 shrink-0 ${unseen_count > 0 ? 'text-accent' : 'text-soft'}`}
        />
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline gap-2">
            <span className={`min-w-0 flex-1 truncate ${unseen_count > 0 ? 'font-bold' : 'font-medium'}`}>
              {contact?.name ?? contact?.phone_formatted ?? readable(phone_number)}
            </span>
            <time className="text-xs text-soft" dateTime={thread.last_activity_at}>
              {dates.brief(thread.last_activity_at)}
            </time>
          </span>
          <span className="flex items-center gap-2">
            <span
              className={`min-w-0 flex-1 truncate text-sm ${unseen_count > 0 ? 'text-ink' : 'text-soft'}`}
            >
              {preview || describe(latest_item, t)}
            </span>
            {unseen_count > 0 && (
              <span
                aria-label={t.unseen(unseen_count)}
                className="rounded-full bg-accent px-1.5 text-xs font-bold text-on-accent"
              >
                {unseen_count}
              </span>
            )}
          </span>
        </span>
      </Link>
    </li>
  )
}

type Latest = Thread['latest_item']

function iconOf(item: Latest) {
  if (item.type === 'voicemail') return Voicemail
  if (item.type === 'message') return MessageSquare
  return item.missed ? PhoneMissed : Phone
}

function describe(
  item: Latest,
  t: { missedCall: string; incomingCall: string; outgoingCall: string; voicemail: string },
) {
  if (item.type === 'voicemail') return t.voicemail
  if (item.type === 'message') return ''
  if (item.missed) return t.missedCall
  return item.direction === 'inbound' ? t.incomingCall : t.outgoingCall
}
