import { Check } from 'lucide-react'
import type { ReactNode } from 'react'

import { useTexts } from '../i18n/language.tsx'
import { onboardingTexts } from './texts.ts'

interface StepRowProps {
  title: string
  hint: ReactNode
  isDone: boolean
  /** The first that is not done. */
  isNext: boolean
  /** What to press; nothing if it happens elsewhere. */
  children?: ReactNode
}

/** One of the first steps. What is done needs neither a hint nor a button, and a phone has room for one hint beside buttons. */
export function StepRow({ title, hint, isDone, isNext, children }: StepRowProps) {
  const t = useTexts(onboardingTexts)
  return (
    <li className="flex items-start gap-3 px-4 py-3 md:px-5">
      <span
        className={`mt-px grid size-6 shrink-0 place-items-center rounded-full border transition-colors ${
          isDone
            ? 'border-transparent bg-good-ground text-good'
            : 'border-line-strong border-dashed text-transparent'
        }`}
      >
        <Check size={14} strokeWidth={3} aria-hidden="true" />
      </span>
      <div className="min-w-0 flex-1">
        <p className={isDone ? 'text-soft' : 'font-medium'}>
          {title}
          {isDone && <span className="sr-only"> ({t.done})</span>}
        </p>
        {!isDone && (
          <p className={`text-sm text-pretty text-soft ${children && !isNext ? 'max-md:hidden' : ''}`}>
            {hint}
          </p>
        )}
      </div>
      {!isDone && children && <div className="-my-0.5 flex shrink-0">{children}</div>}
    </li>
  )
}
