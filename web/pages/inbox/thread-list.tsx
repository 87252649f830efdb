import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { SquarePen } from 'lucide-react'
import { type ReactNode, useDeferredValue, useState } from 'react'

import { anyThreadQuery, unseenQuery } from '../../api/inbox.ts'
import { numbersQuery } from '../../api/numbers.ts'
import { type Shown, teamThreadsQuery } from '../../api/team-inbox.ts'
import { inboxTexts } from '../../i18n/inbox.ts'
import { useTexts } from '../../i18n/language.tsx'
import { shellTexts } from '../../i18n/shell.ts'
import { teamTexts } from '../../i18n/team-inbox.ts'
import { rowKeys } from '../../keys/rows.ts'
import { useKeys } from '../../keys/use-keys.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { INPUT } from '../../ui/field.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { EmptyState, Loaded } from '../../ui/states.tsx'
import { NewText } from './new-text.tsx'
import { Filters } from './team/filters.tsx'
import { ThreadRow } from './team/thread-row.tsx'

interface ThreadListProps {
  open?: string
  /** Scrolls with the list. */
  above?: ReactNode
}

export function ThreadList({ open, above }: ThreadListProps) {
  const t = useTexts(inboxTexts)
  const common = useTexts(shellTexts)
  const [typed, setTyped] = useState('')
  const [numberId, setNumberId] = useState('')
  const [unseen, setUnseen] = useState(false)
  const [shown, setShown] = useState<Shown>('open')
  const [writing, setWriting] = useState(false)
  const query = useDeferredValue(typed.trim())
  const numbers = useQuery(numbersQuery()).data ?? []
  const counts = useQuery(unseenQuery()).data?.main_numbers ?? []
  const unseenOf = (id: string) => counts.find((number) => number.id === id)?.unseen_count ?? 0
  const found = useInfiniteQuery({
    ...teamThreadsQuery({
      show: shown,
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
        <Filters
          shown={shown}
          unseenMentions={found.data?.pages[0]?.unseen_mentions ?? 0}
          onChoose={setShown}
        />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {above}
        <Loaded query={found}>
          {({ pages }) => {
            const threads = pages.flatMap((page) => page.threads)
            // A filtered page may be empty before the end of the list.
            if (threads.length === 0 && !found.hasNextPage)
              return <Nothing shown={shown} isFiltered={filtered} />
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

function Nothing({ shown, isFiltered }: { shown: Shown; isFiltered: boolean }) {
  const t = useTexts(inboxTexts)
  const team = useTexts(teamTexts)
  const isEmpty = useQuery({ ...anyThreadQuery(), enabled: !isFiltered && shown === 'open' }).data === false
  if (isFiltered) {
    return (
      <EmptyState drawing="conversation" title={t.nothingFound}>
        {t.nothingFoundHint}
      </EmptyState>
    )
  }
  return (
    <EmptyState drawing={isEmpty ? 'conversation' : 'done'} title={isEmpty ? t.empty : team.empty[shown]}>
      {isEmpty ? t.emptyHint : team.emptyHint[shown]}
    </EmptyState>
  )
}
