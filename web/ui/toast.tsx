import { X } from 'lucide-react'
import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react'

import { useTexts } from '../i18n/language.tsx'
import { shellTexts } from '../i18n/shell.ts'

interface Toast {
  tone: 'good' | 'wrong'
  text: string
}

/** Long enough to read a sentence; an error stays until it is closed. */
const SHOWN_MS = 5_000

const ToastContext = createContext<(toast: Toast) => void>(() => {})

/** Shows the outcome of an action in a corner. */
export const useToast = () => useContext(ToastContext)

export function ToastProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<(Toast & { id: number })[]>([])
  const t = useTexts(shellTexts)
  const count = useRef(0)
  const close = useCallback((id: number) => setShown((all) => all.filter((one) => one.id !== id)), [])
  const say = useCallback(
    (toast: Toast) => {
      const id = ++count.current
      // The same sentence twice says no more.
      setShown((all) => [...all.filter(({ text }) => text !== toast.text).slice(-3), { ...toast, id }])
      if (toast.tone === 'good') setTimeout(() => close(id), SHOWN_MS)
    },
    [close],
  )
  return (
    <ToastContext value={say}>
      {children}
      <div
        aria-live="polite"
        className="pointer-events-none fixed inset-x-4 bottom-20 z-60 flex flex-col items-center gap-2 md:bottom-6"
      >
        {shown.map(({ id, tone, text }) => (
          <div
            key={id}
            role={tone === 'wrong' ? 'alert' : 'status'}
            className={`pointer-events-auto flex max-w-md items-center gap-2 rounded-xl border py-2 pr-2 pl-4 text-sm shadow-float ${tone === 'wrong' ? 'bg-wrong-ground text-wrong' : 'bg-raised text-ink'}`}
          >
            <span className="min-w-0 break-words">{text}</span>
            <button
              type="button"
              aria-label={t.close}
              className="grid size-7 shrink-0 place-items-center rounded-md hover:bg-hover"
              onClick={() => close(id)}
            >
              <X size={15} aria-hidden="true" />
            </button>
          </div>
        ))}
      </div>
    </ToastContext>
  )
}
