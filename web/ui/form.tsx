import { type ReactNode, useRef, useState } from 'react'

import { useTexts } from '../i18n/language.tsx'
import { shellTexts } from '../i18n/shell.ts'
import { useFieldErrors, useFocusOnRefusal } from '../refusals/field-errors.ts'
import { useUnsavedEdits } from '../unsaved/unsaved-edits.ts'
import { Button } from './button.tsx'
import { ConfirmDiscard, Dialog } from './dialog.tsx'

interface FormProps {
  onSubmit(): void
  className?: string
  /** Why the API refused what was submitted: the first field that it refused gets the focus. */
  error?: Error | null
  children: ReactNode
}

/** A form that the page submits itself, without the browser leaving it. */
export function Form({ onSubmit, className, error = null, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null)
  useFocusOnRefusal(form, error)
  return (
    <form
      ref={form}
      className={className}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
    </form>
  )
}

interface FormDialogProps extends Omit<FormProps, 'className'> {
  title: string
  wide?: boolean
  isPending: boolean
  /** Whether something would be lost by closing it: then it asks first. */
  isChanged?: boolean
  /** What the button says that submits it, unless it is "Save". */
  submit?: string
  onClose(): void
}

/** A form in a dialog, which is either submitted or cancelled. */
export function FormDialog(props: FormDialogProps) {
  const { title, wide, isPending, isChanged = false, submit, error, onClose, onSubmit, children } = props
  const t = useTexts(shellTexts)
  const [isAsking, setAsking] = useState(false)
  const close = () => (isChanged ? setAsking(true) : onClose())
  return (
    <Dialog open wide={wide} onClose={close} title={title}>
      <Form onSubmit={onSubmit} error={error}>
        {children}
        <div className="flex justify-end gap-2">
          <Button onClick={close}>{t.cancel}</Button>
          <Button type="submit" look="main" disabled={isPending}>
            {submit ?? t.save}
          </Button>
        </div>
      </Form>
      <ConfirmDiscard open={isAsking} onClose={() => setAsking(false)} onConfirm={onClose} />
    </Dialog>
  )
}

type TextName<Input> = { [Name in keyof Input]: Input[Name] extends string ? Name : never }[keyof Input] &
  string

/**
 * What a form will send. `bind` ties a text to its field, and shows there what to do about an error of the API. `stored`
 * tells that the API has this input: what is not stored is asked about before the page is left.
 */
export function useInput<Input extends object>(initial: Input) {
  const [input, setInput] = useState(initial)
  const [known, stored] = useState(initial)
  const isChanged = JSON.stringify(input) !== JSON.stringify(known)
  useUnsavedEdits(isChanged)
  const set = (part: Partial<Input>) => setInput({ ...input, ...part })
  const fieldError = useFieldErrors()
  const bind = (name: TextName<Input>, error: Error | null) => ({
    value: input[name] as string,
    error: fieldError(error, name),
    onChange: ({ target }: { target: { value: string } }) => setInput({ ...input, [name]: target.value }),
  })
  return { input, set, bind, isChanged, stored }
}
