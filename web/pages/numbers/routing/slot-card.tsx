import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import { isFieldError, useChange } from '../../../api/change.ts'
import { ApiError } from '../../../api/client.ts'
import { type BusinessNumber, numberQuery } from '../../../api/numbers.ts'
import { useTexts } from '../../../i18n/language.tsx'
import { numberTexts } from '../../../i18n/numbers.ts'
import { shellTexts } from '../../../i18n/shell.ts'
import { useFieldErrors } from '../../../refusals/field-errors.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDiscard } from '../../../ui/dialog.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { Form } from '../../../ui/form.tsx'
import { useUnsavedEdits } from '../../../unsaved/unsaved-edits.ts'
import type { WalkWish } from '../walk/walk-dialog.tsx'
import { audioByText, FLOW_TYPES, type FlowDraft, type Part, partOf } from './flow-draft.ts'
import { FlowPicture } from './flow-picture.tsx'
import { PictureNode } from './picture-node.tsx'
import { flowOf, saveSlot, type Slot, type SlotDraft, slotDraftOf, type Timeout, TIMEOUTS } from './slots.ts'

interface SlotCardProps {
  number: BusinessNumber
  slot: Slot
  title: string
  /** What an empty slot means, if it may be empty. */
  none?: string
  onWalk(wish: WalkWish): void
}

/** When each flow is heard. */
const WALKS: Record<Slot, WalkWish> = {
  incoming: { when: 'open' },
  outside: { when: 'closed' },
  noAnswer: { when: 'open', atNoAnswer: true },
}

/** One of the flows of a number, edited on its picture. Callers hear the edits when they are saved. */
export function SlotCard({ number, slot, title, none, onWalk }: SlotCardProps) {
  const t = useTexts(numberTexts)
  const common = useTexts(shellTexts)
  const queries = useQueryClient()
  const card = useRef<HTMLElement>(null)
  const stored = slotDraftOf(number, slot)
  const [edited, setEdited] = useState<SlotDraft>()
  const [open, setOpen] = useState<Part>()
  const [isAsking, setAsking] = useState(false)
  const input = edited ?? stored
  const isChanged = edited !== undefined
  useUnsavedEdits(isChanged)
  // Edits that were taken back are none: the picture follows what a coworker saves.
  const edit = (next: SlotDraft) =>
    setEdited(JSON.stringify(next) === JSON.stringify(stored) ? undefined : next)
  const settle = () => {
    save.reset()
    setEdited(undefined)
    setOpen(undefined)
    // The buttons disappear, and the focus with them.
    card.current?.focus()
  }
  const save = useChange((input: SlotDraft) => saveSlot(number.id, slot, input), {
    touches: [['numbers']],
    said: t.stored,
    quietAbout: isFieldError,
    onDone: (changed) => {
      queries.setQueryData(numberQuery(number.id).queryKey, changed)
      settle()
    },
  })
  const fieldError = useFieldErrors()
  const errorOf = (field: string) => fieldError(save.error, field)
  useOpenOnRefusal(save.error, input.draft, setOpen)
  const audio = audioByText(flowOf(number, slot))
  const { draft, timeout } = input
  const typeName = draft.type === 'none' ? none : t[draft.type]
  return (
    <section
      ref={card}
      tabIndex={-1}
      aria-label={title}
      className="rounded-xl border bg-surface p-4 outline-none"
    >
      <Form onSubmit={() => isChanged && save.mutate(input)} error={save.error}>
        <h3 className="mb-1.5 text-sm font-semibold text-soft">{title}</h3>
        <PictureNode
          label={t[slot]}
          isOpen={open === 'type'}
          onOpen={() => setOpen('type')}
          onDone={() => setOpen(undefined)}
          error={errorOf('type')}
          summary={<strong className="font-semibold">{typeName}</strong>}
        >
          <SelectField
            label={t.type}
            value={draft.type}
            error={errorOf('type')}
            onChange={({ target }) =>
              edit({ ...input, draft: { ...draft, type: target.value as FlowDraft['type'] } })
            }
          >
            {none !== undefined && <option value="none">{none}</option>}
            {FLOW_TYPES.map((type) => (
              <option key={type} value={type}>
                {t[type]}
              </option>
            ))}
          </SelectField>
          {slot === 'noAnswer' && (
            <SelectField
              label={t.timeout}
              value={timeout ?? ''}
              error={errorOf('timeout_secs')}
              onChange={({ target: { value } }) =>
                edit({ ...input, timeout: value === '' ? null : (Number(value) as Timeout) })
              }
            >
              <option value="">{t.never}</option>
              {TIMEOUTS.map((seconds) => (
                <option key={seconds} value={seconds}>
                  {t.seconds(seconds)}
                </option>
              ))}
            </SelectField>
          )}
        </PictureNode>
        <FlowPicture
          numberId={number.id}
          draft={draft}
          onChange={(draft) => edit({ ...input, draft })}
          open={open}
          onOpen={setOpen}
          audioOf={(text) => audio.get(text)}
          errorOf={errorOf}
          // A walk follows what is saved.
          onWalk={isChanged || number.retired_at ? undefined : (digit) => onWalk({ ...WALKS[slot], digit })}
        />
        {isChanged && (
          <div className="mt-3 flex flex-wrap items-center gap-2 border-t pt-3">
            <p className="min-w-0 flex-1 text-sm text-soft">{t.notSaved}</p>
            <Button onClick={() => setAsking(true)}>{t.discard}</Button>
            <Button type="submit" look="main" disabled={save.isPending}>
              {common.save}
            </Button>
          </div>
        )}
      </Form>
      <ConfirmDiscard open={isAsking} onClose={() => setAsking(false)} onConfirm={settle} />
    </section>
  )
}

/** Opens the part of the picture with the first field that the API refused, before the focus goes there. */
function useOpenOnRefusal(error: Error | null, draft: FlowDraft, open: (part: Part) => void): void {
  const [seen, setSeen] = useState<Error | null>(null)
  if (error === seen) return
  setSeen(error)
  const fields = error instanceof ApiError ? Object.keys(error.fields) : []
  const part = fields.map((field) => partOf(draft, field)).find((part) => part !== undefined)
  if (part !== undefined) open(part)
}
