import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type ReactNode, useRef } from 'react'

import { useTexts } from '../i18n/language.tsx'
import { shellTexts } from '../i18n/shell.ts'
import { Button, IconButton } from './button.tsx'

interface DialogProps {
  open: boolean
  onClose(): void
  title: string
  description?: ReactNode
  children?: ReactNode
  wide?: boolean
}

export function Dialog({ open, onClose, title, description, children, wide = false }: DialogProps) {
  const t = useTexts(shellTexts)
  const openers = useRef<HTMLElement[]>([])
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-50 bg-black/40" />
        <Radix.Content
          {...(description === undefined && { 'aria-describedby': undefined })}
          onOpenAutoFocus={() => (openers.current = findOpeners())}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            const opener = openers.current.find((element) => element.isConnected)
            ;(opener ?? document.getElementById('content'))?.focus()
          }}
          className={`fixed top-1/2 left-1/2 z-50 flex max-h-[90dvh] w-[calc(100%-2rem)] -translate-1/2 flex-col rounded-2xl border bg-raised shadow-float ${wide ? 'max-w-2xl' : 'max-w-md'}`}
        >
          <div className="flex items-start gap-3 px-5 pt-4 pb-2">
            <Radix.Title className="min-w-0 flex-1 pt-1 text-lg leading-tight font-semibold">
              {title}
            </Radix.Title>
            <Radix.Close asChild>
              <IconButton label={t.close}>
                <X size={18} />
              </IconButton>
            </Radix.Close>
          </div>
          <div className="overflow-y-auto px-5 pb-5">
            {description !== undefined && (
              <Radix.Description className="mb-4 text-soft">{description}</Radix.Description>
            )}
            {children}
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Those of the dialog that opened last. */
let lastOpeners: HTMLElement[] = []

/**
 * Where the focus returns to: the first that is still there. A dialog that is opened from another, or
 * follows it, returns to the opener of that one if its own is gone with it.
 */
function findOpeners(): HTMLElement[] {
  const focused = focusedOpener()
  if (focused === null || focused === document.body) return lastOpeners
  lastOpeners = focused.closest('[role=dialog]') ? [focused, ...lastOpeners] : [focused]
  return lastOpeners
}

/** The focused element; for a menu item, which disappears, the trigger of the menu. */
function focusedOpener(): HTMLElement | null {
  const focused = document.activeElement
  const trigger = focused?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  return (trigger ? document.getElementById(trigger) : focused) as HTMLElement | null
}

interface ConfirmProps {
  open: boolean
  onClose(): void
  onConfirm(): void
  title: string
  description: string
  confirm: string
  cancel?: string
}

/** Before something irreversible. */
export function ConfirmDialog({
  open,
  onClose,
  onConfirm,
  title,
  description,
  confirm,
  cancel,
}: ConfirmProps) {
  const t = useTexts(shellTexts)
  const done = () => {
    onConfirm()
    onClose()
  }
  return (
    <Dialog open={open} onClose={onClose} title={title} description={description}>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{cancel ?? t.cancel}</Button>
        <Button look="danger" onClick={done}>
          {confirm}
        </Button>
      </div>
    </Dialog>
  )
}

/** Before edits are lost. */
export function ConfirmDiscard(props: Pick<ConfirmProps, 'open' | 'onClose' | 'onConfirm'>) {
  const { title, hint, discard, stay } = useTexts(shellTexts).unsaved
  return <ConfirmDialog {...props} title={title} description={hint} confirm={discard} cancel={stay} />
}
