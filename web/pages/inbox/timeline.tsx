import { ArrowDown } from 'lucide-react'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'

import { useDates } from '../../i18n/dates.ts'
import { inboxTexts } from '../../i18n/inbox.ts'
import { useTexts } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import type { TimelineEntry } from './team/notes.tsx'
import { TimelineItem } from './timeline-item.tsx'

interface TimelineProps {
  /** Newest first, as in the API. */
  items: TimelineEntry[]
  /** Shown above the oldest item. */
  children: ReactNode
}

/** Oldest first. A reader at the end stays at the end; a reader further up keeps the scroll position. */
export function Timeline({ items, children }: TimelineProps) {
  const t = useTexts(inboxTexts)
  const dates = useDates()
  const { box, isAtEnd, follow, toEnd } = useKeptPlace(items)
  const inOrder = items.toReversed()
  return (
    <div className="relative min-h-0 flex-1">
      {/* The place is kept here, not by the browser: at the very top browsers do not. */}
      <div
        ref={box}
        onScroll={follow}
        role="log"
        aria-label={t.timeline}
        tabIndex={0}
        className="h-full overflow-y-auto px-3 py-4 outline-offset-[-2px] [overflow-anchor:none] md:px-5"
      >
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
      </div>
      {!isAtEnd && (
        <Button size="small" className="absolute right-4 bottom-3 shadow-float" onClick={toEnd}>
          <ArrowDown size={15} aria-hidden="true" /> {t.toNewest}
        </Button>
      )}
    </div>
  )
}

/** Closer than this counts as at the end. */
const END_PIXELS = 60

function useKeptPlace(items: TimelineEntry[]) {
  const box = useRef<HTMLDivElement>(null)
  const [isAtEnd, setAtEnd] = useState(true)
  const shown = useRef({ newest: items[0]?.id, oldest: items.at(-1)?.id, height: 0 })
  const toEnd = () => box.current?.scrollTo({ top: box.current.scrollHeight })
  useLayoutEffect(() => {
    const at = box.current!
    const { newest, oldest, height } = shown.current
    const isOwn = items[0]?.id !== newest && items[0]?.direction !== 'inbound'
    if (isAtEnd || isOwn) at.scrollTop = at.scrollHeight
    else if (items.at(-1)?.id !== oldest) at.scrollTop += at.scrollHeight - height
    shown.current = { newest: items[0]?.id, oldest: items.at(-1)?.id, height: at.scrollHeight }
  }, [items, isAtEnd])
  useEffect(() => {
    if (!isAtEnd) return undefined
    // The content below may grow.
    const at = box.current!
    const observer = new ResizeObserver(() => {
      at.scrollTop = at.scrollHeight
    })
    observer.observe(at)
    return () => observer.disconnect()
  }, [isAtEnd])
  const follow = () => {
    const { scrollHeight, scrollTop, clientHeight } = box.current!
    setAtEnd(scrollHeight - scrollTop - clientHeight < END_PIXELS)
  }
  return { box, isAtEnd, follow, toEnd }
}
