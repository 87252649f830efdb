import { Pencil, PhoneIncoming } from 'lucide-react'
import { useState } from 'react'

import type { BusinessNumber } from '../../../api/numbers.ts'
import { useTexts } from '../../../i18n/language.tsx'
import { numberTexts } from '../../../i18n/numbers.ts'
import { IconButton } from '../../../ui/button.tsx'
import { FlowDiagram } from './flow-diagram.tsx'
import { flowOf, type Slot, SlotEditor } from './slot-editor.tsx'

/** A diagram of a number's call flows: the call at the top, its slots below; each can be edited in place. */
export function RoutingDiagram({ number }: { number: BusinessNumber }) {
  const t = useTexts(numberTexts)
  const [editing, setEditing] = useState<Slot>()
  const seconds = number.no_answer_timeout_secs
  const noAnswer = seconds === null ? t.noAnswer : t.noAnswerAfter(t.seconds(seconds))
  return (
    <div>
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
          <SlotCard number={number} slot="incoming" title={t.incoming} onEdit={setEditing} />
          <Line />
          <SlotCard
            number={number}
            slot="noAnswer"
            title={noAnswer}
            none={t.keepRinging}
            onEdit={setEditing}
          />
        </div>
        <div className="mt-4 md:mt-0">
          <Line wideOnly />
          <SlotCard
            number={number}
            slot="outside"
            title={t.outside}
            none={t.sameAsOpen}
            onEdit={setEditing}
          />
        </div>
      </div>
      {editing && <SlotEditor number={number} slot={editing} onClose={() => setEditing(undefined)} />}
    </div>
  )
}

const Line = ({ wideOnly = false }: { wideOnly?: boolean }) => (
  <div aria-hidden="true" className={`mx-auto h-5 w-0.5 bg-accent/50 ${wideOnly ? 'hidden md:block' : ''}`} />
)

interface SlotCardProps {
  number: BusinessNumber
  slot: Slot
  title: string
  /** What an empty slot means. */
  none?: string
  onEdit(slot: Slot): void
}

function SlotCard({ number, slot, title, none, onEdit }: SlotCardProps) {
  const t = useTexts(numberTexts)
  const flow = flowOf(number, slot)
  return (
    <section className="rounded-xl border bg-surface p-4">
      <header className="mb-2 flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <h3 className="text-sm font-semibold text-soft">{title}</h3>
          <p className="font-semibold">{flow ? t[flow.type] : none}</p>
        </div>
        <IconButton label={t.change(t[slot])} onClick={() => onEdit(slot)}>
          <Pencil size={16} />
        </IconButton>
      </header>
      {flow && <FlowDiagram flow={flow} />}
    </section>
  )
}
