import { Pencil } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'

import { useTexts } from '../../../i18n/language.tsx'
import { numberTexts } from '../../../i18n/numbers.ts'
import { Button } from '../../../ui/button.tsx'

interface PictureNodeProps {
  /** What is changed by clicking it. */
  label: string
  isOpen: boolean
  onOpen(): void
  onDone(): void
  /** What to do about something in it that the API refused. */
  error?: string
  /** What the node shows; a click on it opens the editor in its place. */
  summary: ReactNode
  /** Below it, outside of what is clicked. */
  more?: ReactNode
  /** Beside it, as well. */
  aside?: ReactNode
  /** Beside "Done", while it is edited. */
  action?: ReactNode
  /** The fields. */
  children: ReactNode
}

/** A node of the picture. It is edited where it stands; Escape and "Done" lead back to it. */
export function PictureNode(props: PictureNodeProps) {
  const { label, isOpen, onOpen, onDone, error, summary, more, aside, action, children } = props
  const t = useTexts(numberTexts)
  const button = useRef<HTMLButtonElement>(null)
  const editor = useRef<HTMLFieldSetElement>(null)
  const isLeft = useRef(false)
  useEffect(() => {
    if (isOpen) editor.current?.querySelector<HTMLElement>('select, textarea, input')?.focus()
    else if (isLeft.current) button.current?.focus()
    isLeft.current = false
  }, [isOpen])
  const done = () => {
    isLeft.current = true
    onDone()
  }
  if (!isOpen)
    return (
      <div className="rounded-lg border bg-ground">
        <div className="flex items-start">
          <button
            ref={button}
            type="button"
            onClick={onOpen}
            className="group flex min-w-0 flex-1 items-start gap-2 rounded-lg p-2.5 text-left text-sm hover:bg-hover"
          >
            <span className="sr-only">{t.change(label)}. </span>
            <span className="min-w-0 flex-1">{summary}</span>
            <Pencil
              size={14}
              aria-hidden="true"
              className="mt-0.5 shrink-0 text-soft group-hover:text-accent"
            />
          </button>
          {aside}
        </div>
        {more && <div className="px-2.5 pb-2.5">{more}</div>}
        {error && (
          <p role="alert" className="px-2.5 pb-2.5 text-sm text-wrong">
            {error}
          </p>
        )}
      </div>
    )
  return (
    <fieldset
      ref={editor}
      aria-label={t.change(label)}
      className="rounded-lg border border-accent bg-surface p-3 shadow-float"
      onKeyDown={(event) => {
        if (event.key === 'Escape') done()
      }}
    >
      {children}
      <div className="flex justify-between gap-2">
        {action}
        <Button size="small" className="ml-auto" onClick={done}>
          {t.done}
        </Button>
      </div>
    </fieldset>
  )
}
