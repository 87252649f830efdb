import { useInfiniteQuery } from '@tanstack/react-query'
import { RefreshCw, RotateCcw } from 'lucide-react'

import { useChange } from '../../api/change.ts'
import { deliveriesQuery, type Delivery, replayDelivery } from '../../api/webhooks.ts'
import { useDates } from '../../i18n/dates.ts'
import { useTexts } from '../../i18n/language.tsx'
import { shellTexts } from '../../i18n/shell.ts'
import { webhookTexts } from '../../i18n/webhooks.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Badge, Card } from '../../ui/page.tsx'
import { EmptyState, Loaded } from '../../ui/states.tsx'

/** Pending deliveries are polled: the live channel does not publish them. */
const LOOK_AGAIN_MS = 3_000

export function DeliveryLog({ webhookId }: { webhookId: string }) {
  const t = useTexts(webhookTexts)
  const common = useTexts(shellTexts)
  const log = useInfiniteQuery({
    ...deliveriesQuery(webhookId),
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.deliveries.some(({ status }) => status === 'pending'))
        ? LOOK_AGAIN_MS
        : false,
  })
  return (
    <section aria-labelledby="deliveries">
      <div className="mb-2 flex items-center gap-2">
        <h2 id="deliveries" className="flex-1 text-lg font-semibold">
          {t.deliveries}
        </h2>
        <IconButton label={t.refresh} onClick={() => void log.refetch()}>
          <RefreshCw size={16} />
        </IconButton>
      </div>
      <Card>
        <Loaded query={log}>
          {({ pages }) => {
            const deliveries = pages.flatMap((page) => page.deliveries)
            if (deliveries.length === 0) {
              return (
                <EmptyState drawing="connection" title={t.noDeliveries}>
                  {t.noDeliveriesHint}
                </EmptyState>
              )
            }
            return (
              <ul className="divide-y">
                {deliveries.map((delivery) => (
                  <DeliveryRow key={delivery.id} webhookId={webhookId} delivery={delivery} />
                ))}
              </ul>
            )
          }}
        </Loaded>
      </Card>
      {log.hasNextPage && (
        <div className="mt-3 text-center">
          <Button onClick={() => void log.fetchNextPage()}>{common.showMore}</Button>
        </div>
      )}
    </section>
  )
}

const TONES = { pending: 'warn', succeeded: 'good', failed: 'wrong' } as const

function DeliveryRow({ webhookId, delivery }: { webhookId: string; delivery: Delivery }) {
  const t = useTexts(webhookTexts)
  const dates = useDates()
  const replay = useChange(() => replayDelivery(webhookId, delivery.id), {
    touches: [['webhooks', webhookId, 'deliveries']],
    said: t.replayed,
  })
  const { event, status, created_at, attempts, next_attempt_at } = delivery
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
      <Badge tone={TONES[status]}>{t[status]}</Badge>
      <div className="min-w-0 flex-1 basis-52">
        <p className="font-mono text-sm break-words">{event}</p>
        <p className="text-sm text-soft">
          {[
            dates.whole(created_at),
            t.attempts(attempts.length),
            next_attempt_at && t.nextAttempt(dates.time(next_attempt_at)),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {attempts.length > 0 && (
          <ul className="text-sm text-soft">
            {attempts.slice(-3).map(({ at, status_code, outcome, duration_ms }) => (
              <li key={at}>
                {dates.time(at)} · {outcome}
                {status_code !== null && ` ${status_code}`} · {duration_ms} ms
              </li>
            ))}
          </ul>
        )}
      </div>
      <Button size="small" disabled={replay.isPending} onClick={() => replay.mutate()}>
        <RotateCcw size={14} aria-hidden="true" /> {t.replay}
      </Button>
    </li>
  )
}
