import { useInfiniteQuery } from '@tanstack/react-query'
import { Phone, PhoneMissed } from 'lucide-react'

import { type InternalCall, internalCallsQuery } from '../../api/calls.ts'
import { callTexts } from '../../i18n/calls.ts'
import { clockTime, useDates } from '../../i18n/dates.ts'
import { useTexts } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'
import { EmptyState, Loaded } from '../../ui/states.tsx'

/** The calls between employees. */
export function InternalCallList() {
  const t = useTexts(callTexts)
  const found = useInfiniteQuery(internalCallsQuery())
  return (
    <>
      <Card>
        <Loaded query={found}>
          {({ pages }) => {
            const calls = pages.flatMap((page) => page.calls)
            if (calls.length === 0)
              return (
                <EmptyState drawing="calls" title={t.empty}>
                  {t.emptyInternalHint}
                </EmptyState>
              )
            return (
              <ul className="divide-y">
                {calls.map((call) => (
                  <InternalCallRow key={call.id} call={call} />
                ))}
              </ul>
            )
          }}
        </Loaded>
      </Card>
      {found.hasNextPage && (
        <div className="mt-4 text-center">
          <Button disabled={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
            {t.more}
          </Button>
        </div>
      )}
    </>
  )
}

function InternalCallRow({ call }: { call: InternalCall }) {
  const t = useTexts(callTexts)
  const dates = useDates()
  const missed = call.state === 'ended' && call.answered_at === null
  const Icon = missed ? PhoneMissed : Phone
  return (
    <li className="flex items-start gap-3 px-4 py-3">
      <Icon
        size={17}
        aria-hidden="true"
        className={`mt-0.5 shrink-0 ${missed ? 'text-wrong' : 'text-soft'}`}
      />
      <p className="min-w-0 flex-1">
        {t.callsCoworker(call.from_employee?.name ?? call.from, call.to_employee?.name ?? call.to)}
      </p>
      <div className="shrink-0 text-right text-sm">
        <time dateTime={call.started_at}>{dates.brief(call.started_at)}</time>
        <p className={missed ? 'text-wrong' : 'text-soft'}>
          {call.state !== 'ended' ? t.now : missed ? t.notAnswered : clockTime(call.duration ?? 0)}
        </p>
      </div>
    </li>
  )
}
