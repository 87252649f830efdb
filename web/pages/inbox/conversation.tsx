import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft, Phone } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef } from 'react'

import { useChange } from '../../api/change.ts'
import { type ActivityItem, activityQuery, markSeen } from '../../api/inbox.ts'
import { useDates } from '../../i18n/dates.ts'
import { inboxTexts } from '../../i18n/inbox.ts'
import { useTexts } from '../../i18n/language.tsx'
import { dialNumber } from '../../softphone/dial.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { readablePhone } from '../../ui/phone.ts'
import { Loaded } from '../../ui/states.tsx'
import { Composer } from './composer.tsx'
import { ContactCard } from './contact-card.tsx'
import { TimelineItem } from './timeline-item.tsx'

/** All that passed between the company and one person. */
export function Conversation({ phone }: { phone: string }) {
  const t = useTexts(inboxTexts)
  const activity = useInfiniteQuery(activityQuery(phone))
  const first = activity.data?.pages[0]
  useSeen(phone, first)
  const items: ActivityItem[] = activity.data?.pages.flatMap((page) => page.items) ?? []
  const name = first?.contact?.name ?? first?.contact?.phone_formatted ?? readablePhone(phone)
  return (
    <div className="flex h-full">
      <div className="flex min-w-0 flex-1 flex-col">
        <header className="flex items-center gap-2 border-b bg-surface px-3 py-2.5 md:px-5">
          <Link
            to="/inbox"
            aria-label={t.back}
            className={`${buttonClass({ look: 'bare', size: 'icon' })} md:hidden`}
          >
            <ArrowLeft size={18} />
          </Link>
          <div className="min-w-0">
            <h2 className="truncate font-semibold">{name}</h2>
            {first?.contact?.name && <p className="text-[13px] text-soft">{first.contact.phone_formatted}</p>}
          </div>
          <Button size="small" className="ml-auto" onClick={() => dialNumber(phone)}>
            <Phone size={15} aria-hidden="true" /> {t.call}
          </Button>
        </header>
        <Loaded query={activity}>
          {() => (
            <Timeline items={items} latest={items[0]?.id}>
              {activity.hasNextPage && (
                <div className="pb-4 text-center">
                  <Button size="small" onClick={() => void activity.fetchNextPage()}>
                    {t.earlier}
                  </Button>
                </div>
              )}
            </Timeline>
          )}
        </Loaded>
        <Composer phone={phone} lastNumberId={items[0]?.business_number_id} />
      </div>
      <aside
        aria-label={t.contact}
        className="hidden w-72 shrink-0 overflow-y-auto border-l bg-surface xl:block"
      >
        {first && <ContactCard key={first.contact?.id ?? phone} phone={phone} contact={first.contact} />}
      </aside>
    </div>
  )
}

interface TimelineProps {
  /** Newest first, as the API gives them. */
  items: ActivityItem[]
  latest?: string
  children: React.ReactNode
}

function Timeline({ items, latest, children }: TimelineProps) {
  const dates = useDates()
  const end = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    end.current?.scrollIntoView({ block: 'end' })
  }, [latest])
  const inOrder = items.toReversed()
  return (
    <div className="min-h-0 flex-1 overflow-y-auto px-3 py-4 md:px-5">
      {children}
      <ol className="flex flex-col gap-2.5">
        {inOrder.map((item, index) => {
          const day = dates.longDay(item.created_at)
          const before = inOrder[index - 1]
          return (
            <li key={item.id}>
              {(!before || dates.longDay(before.created_at) !== day) && (
                <p className="py-2 text-center text-xs font-semibold text-soft">{day}</p>
              )}
              <TimelineItem item={item} />
            </li>
          )
        })}
      </ol>
      <div ref={end} />
    </div>
  )
}

/** Whoever has the conversation before their eyes has seen it: through what the server had observed. */
function useSeen(phone: string, page?: { observed_at: string; items: { seen_at: string | null }[] }): void {
  const { mutate } = useChange(markSeen, { touches: [['inbox'], ['unseen']] })
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
