import { type KeyboardEvent, useEffect, useId, useRef } from 'react'

import type { WrapUp } from '../api/calls.ts'
import { useTexts } from '../i18n/language.tsx'
import { useKeys } from '../keys/use-keys.ts'
import { Button } from '../ui/button.tsx'
import { INPUT } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { type Outcome, OUTCOMES } from './outcomes.tsx'
import { wrapUpTexts } from './texts.ts'
import { useWrapUp } from './use-wrap-up.ts'

const LIMITS = { noteCharacters: 1_600 }

interface WrapUpFormProps {
  callId: string
  employeeId: string
  wrapUp: WrapUp | null
  /** Its keys work wherever nobody is typing, and it takes the focus only when one is pressed. */
  isOffered?: boolean
  onTouch?(): void
  /** Saved, or left. */
  onClose(): void
}

/** An outcome and a note: a digit and Enter are enough. */
export function WrapUpForm({
  callId,
  employeeId,
  wrapUp,
  isOffered = false,
  onTouch,
  onClose,
}: WrapUpFormProps) {
  const t = useTexts(wrapUpTexts)
  const box = useRef<HTMLTextAreaElement>(null)
  const focusedBefore = useRef<Element>(null)
  const hintId = useId()
  const close = () => {
    const before = focusedBefore.current
    if (before instanceof HTMLElement && before.isConnected) before.focus()
    onClose()
  }
  const edit = useWrapUp({ callId, employeeId, wrapUp, onSaved: close })
  const choose = (outcome: Outcome) => {
    onTouch?.()
    if (!box.current?.form?.contains(document.activeElement)) focusedBefore.current = document.activeElement
    edit.setOutcome(outcome === edit.outcome ? null : outcome)
    box.current?.focus()
  }
  const keys = Object.fromEntries(OUTCOMES.map((outcome, index) => [`${index + 1}`, () => choose(outcome)]))
  useKeys(isOffered ? { ...keys, Escape: close } : {})
  useEffect(() => {
    if (isOffered) return
    box.current?.focus()
    box.current?.form?.scrollIntoView({ block: 'nearest' })
  }, [isOffered])
  const press = (event: KeyboardEvent) => {
    const isInNote = event.target === box.current
    const act = event.key === 'Escape' ? close : isInNote ? isSaving(event) && edit.submit : keys[event.key]
    if (!act || event.ctrlKey || event.altKey) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }
  return (
    // Keys of its own, whatever in it has the focus.
    <div className="w-full" onKeyDown={press} onPointerDown={onTouch}>
      <Form onSubmit={edit.submit} className="flex flex-col gap-2.5">
        <div role="group" aria-label={t.outcome} className="flex flex-wrap gap-1.5">
          {OUTCOMES.map((outcome, index) => (
            <button
              key={outcome}
              type="button"
              aria-pressed={edit.outcome === outcome}
              aria-keyshortcuts={String(index + 1)}
              onClick={() => choose(outcome)}
              className="flex h-8 items-center gap-1.5 rounded-lg border bg-surface pr-2.5 pl-1.5 text-sm hover:bg-hover aria-pressed:border-accent aria-pressed:bg-accent-ground aria-pressed:font-semibold"
            >
              <kbd
                aria-hidden="true"
                className="rounded border bg-ground px-1.5 font-sans text-2xs leading-4.5 font-normal text-soft"
              >
                {index + 1}
              </kbd>
              {t.outcomes[outcome]}
            </button>
          ))}
        </div>
        {edit.alsoBy !== undefined && (
          <p role="alert" className="rounded-lg bg-warn-ground px-3 py-2 text-sm text-warn">
            {t.bothKept(edit.alsoBy)}
          </p>
        )}
        <textarea
          ref={box}
          aria-label={t.note}
          aria-describedby={hintId}
          placeholder={t.notePlaceholder}
          rows={2}
          maxLength={LIMITS.noteCharacters}
          className={`${INPUT} field-sizing-content max-h-40 min-h-16 resize-none`}
          value={edit.note}
          onFocus={onTouch}
          onChange={({ target }) => edit.setNote(target.value)}
        />
        <div className="flex items-center gap-2">
          <p id={hintId} className="min-w-0 flex-1 text-xs text-soft pointer-coarse:invisible">
            {t.keys}
          </p>
          <Button type="submit" look="main" size="small" disabled={!edit.isChanged || edit.isSaving}>
            {t.save}
          </Button>
        </div>
      </Form>
    </div>
  )
}

/** Shift makes a new line; while a character is being composed, Enter completes it. */
const isSaving = ({ key, shiftKey, nativeEvent }: KeyboardEvent) =>
  key === 'Enter' && !shiftKey && !nativeEvent.isComposing
