import { type ReactNode, useState } from 'react'

import { fieldError } from '../api/change.ts'
import { useTexts } from '../i18n/language.tsx'
import { shellTexts } from '../i18n/shell.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface FormProps {
  onSubmit(): void
  className?: string
  children: ReactNode
}

/** A form that the page submits itself, without the browser leaving it. */
export function Form({ onSubmit, className, children }: FormProps) {
  return (
    <form
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
  /** What the button says that submits it, unless it is "Save". */
  submit?: string
  onClose(): void
}

/** A form in a dialog, which is either submitted or cancelled. */
export function FormDialog({ title, wide, isPending, submit, onClose, onSubmit, children }: FormDialogProps) {
  const t = useTexts(shellTexts)
  return (
    <Dialog open wide={wide} onClose={onClose} title={title}>
      <Form onSubmit={onSubmit}>
        {children}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button type="submit" look="main" disabled={isPending}>
            {submit ?? t.save}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

type TextName<Input> = { [Name in keyof Input]: Input[Name] extends string ? Name : never }[keyof Input] &
  string

/** What a form will send. `bind` ties a text to its field, and shows there what the API found wrong with it. */
export function useInput<Input extends object>(initial: Input) {
  const [input, setInput] = useState(initial)
  const set = (part: Partial<Input>) => setInput({ ...input, ...part })
  const bind = (name: TextName<Input>, error: Error | null) => ({
    value: input[name] as string,
    error: fieldError(error, name),
    onChange: ({ target }: { target: { value: string } }) => setInput({ ...input, [name]: target.value }),
  })
  return { input, set, bind }
}
