import { PhoneIncoming } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'

import type { BusinessNumber } from '../../../api/numbers.ts'
import { useTexts } from '../../../i18n/language.tsx'
import { numberTexts } from '../../../i18n/numbers.ts'
import { Button } from '../../../ui/button.tsx'
import { walkTexts } from '../walk/texts.ts'
import type { WalkWish } from '../walk/walk-dialog.tsx'
import { SlotCard } from './slot-card.tsx'

const WalkDialog = lazy(async () => ({ default: (await import('../walk/walk-dialog.tsx')).WalkDialog }))

/** A diagram of a number's call flows: the call at the top, its slots below; each is edited in place. */
export function RoutingDiagram({ number }: { number: BusinessNumber }) {
  const t = useTexts(numberTexts)
  const walk = useTexts(walkTexts)
  const [wish, setWish] = useState<WalkWish>()
  const seconds = number.no_answer_timeout_secs
  const noAnswer = seconds === null ? t.noAnswer : t.noAnswerAfter(t.seconds(seconds))
  return (
    <div>
      <header className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-lg font-semibold">{t.routing}</h2>
        {!number.retired_at && (
          <Button onClick={() => setWish({ when: 'now' })}>
            <PhoneIncoming size={16} aria-hidden="true" /> {walk.open}
          </Button>
        )}
      </header>
      <p className="mx-auto flex w-fit items-center gap-2 rounded-full bg-accent px-4 py-1.5 font-semibold text-on-accent">
        <PhoneIncoming size={16} aria-hidden="true" /> {t.callComesIn(number.number_formatted)}
      </p>
      <Line />
      <div
        aria-hidden="true"
        className="mx-[calc(25%-0.3125rem)] hidden border-t-2 border-accent/50 md:block"
      />
      <div className="grid items-start gap-x-5 md:grid-cols-2">
        <div>
          <Line wideOnly />
          <SlotCard number={number} slot="incoming" title={t.incoming} onWalk={setWish} />
          <Line />
          <SlotCard number={number} slot="noAnswer" title={noAnswer} none={t.keepRinging} onWalk={setWish} />
        </div>
        <div className="mt-4 md:mt-0">
          <Line wideOnly />
          <SlotCard number={number} slot="outside" title={t.outside} none={t.sameAsOpen} onWalk={setWish} />
        </div>
      </div>
      {wish && (
        <Suspense>
          <WalkDialog numberId={number.id} wish={wish} onClose={() => setWish(undefined)} />
        </Suspense>
      )}
    </div>
  )
}

const Line = ({ wideOnly = false }: { wideOnly?: boolean }) => (
  <div aria-hidden="true" className={`mx-auto h-5 w-0.5 bg-accent/50 ${wideOnly ? 'hidden md:block' : ''}`} />
)
