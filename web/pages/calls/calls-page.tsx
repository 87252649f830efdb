import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

import { type Call, callsQuery } from '../../api/calls.ts'
import { callTexts } from '../../i18n/calls.ts'
import { useTexts } from '../../i18n/language.tsx'
import { rowKeys } from '../../keys/rows.ts'
import { useKeys } from '../../keys/use-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { EmptyState, Loaded } from '../../ui/states.tsx'
import { CallRow } from './call-row.tsx'
import { Filters } from './filters.tsx'
import { InternalCallList } from './internal-call-list.tsx'
import { type CallsSearch, filterOf, useCallsSearch } from './search.ts'

export default function CallsPage() {
  const t = useTexts(callTexts)
  const { search, change } = useCallsSearch()
  return (
    <Page title={t.title}>
      <Filters search={search} change={change} />
      {search.direction === 'internal' ? <InternalCallList /> : <CustomerCallList search={search} />}
    </Page>
  )
}

function CustomerCallList({ search }: { search: CallsSearch }) {
  const t = useTexts(callTexts)
  const filter = filterOf(search)
  const found = useInfiniteQuery({ ...callsQuery(filter), placeholderData: keepPreviousData })
  const { list, readMore } = useMore(found)
  useKeys(rowKeys({ isOpened: false }))
  const isFiltered = Object.keys(filter).length > 0
  return (
    <>
      <Card>
        <Loaded query={found}>
          {({ pages }) => {
            const calls = pages.flatMap((page): Call[] => page.calls)
            if (calls.length === 0)
              return (
                <EmptyState drawing="calls" title={isFiltered ? t.nothingFound : t.empty}>
                  {isFiltered ? t.nothingFoundHint : t.emptyHint}
                </EmptyState>
              )
            return (
              <ul ref={list} className="divide-y">
                {calls.map((call) => (
                  <CallRow key={call.id} call={call} search={search} />
                ))}
              </ul>
            )
          }}
        </Loaded>
      </Card>
      {found.hasNextPage && (
        <div className="mt-4 text-center">
          <Button disabled={found.isFetchingNextPage} onClick={readMore}>
            {t.more}
          </Button>
        </div>
      )}
    </>
  )
}

/** After loading more by keyboard, the focus goes to the first new row. */
function useMore({
  data,
  fetchNextPage,
}: Pick<ReturnType<typeof useInfiniteQuery>, 'fetchNextPage'> & {
  data: { pages: { calls: Call[] }[] } | undefined
}) {
  const list = useRef<HTMLUListElement>(null)
  const goOnAt = useRef<number>(undefined)
  const count = data?.pages.reduce((sum, { calls }) => sum + calls.length, 0) ?? 0
  useEffect(() => {
    if (goOnAt.current === undefined || count <= goOnAt.current) return
    list.current?.querySelectorAll('a')[goOnAt.current]?.focus()
    goOnAt.current = undefined
  }, [count])
  const readMore = () => {
    goOnAt.current = count
    void fetchNextPage()
  }
  return { list, readMore }
}
