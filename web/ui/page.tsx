import { type ReactNode, useEffect } from 'react'

import { showInTab } from './tab/tab.ts'

interface PageProps {
  title: string
  /** Actions beside the title. */
  actions?: ReactNode
  /** A sentence below the title. */
  lead?: ReactNode
  children: ReactNode
}

/** A page that scrolls as a whole; the inbox does not use it, because its columns scroll separately. */
export function Page({ title, actions, lead, children }: PageProps) {
  usePageTitle(title)
  return (
    // Padding below, because the phone floats over the end.
    <div className="mx-auto w-full max-w-5xl px-4 pt-5 pb-20 md:px-8 md:pt-7 wall:max-w-none wall:px-5 wall:py-3">
      <header className="mb-5 flex flex-wrap items-start gap-x-4 gap-y-3 wall:mb-2 wall:items-center">
        <div className="min-w-0 flex-1 basis-64">
          <h1 className="text-2xl font-semibold tracking-tight break-words">{title}</h1>
          {lead && <p className="mt-1 max-w-prose text-soft">{lead}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

export function usePageTitle(title: string): void {
  useEffect(() => {
    showInTab({ page: title })
  }, [title])
}

export const Card = ({ children, className = '' }: { children: ReactNode; className?: string }) => (
  <section className={`rounded-xl border bg-surface ${className}`}>{children}</section>
)

const TONES = {
  plain: 'bg-hover text-soft',
  good: 'bg-good-ground text-good',
  warn: 'bg-warn-ground text-warn',
  wrong: 'bg-wrong-ground text-wrong',
  accent: 'bg-accent-ground text-accent',
}
export type Tone = keyof typeof TONES

export const Badge = ({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) => (
  <span
    className={`inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-xs font-semibold whitespace-nowrap ${TONES[tone]}`}
  >
    {children}
  </span>
)
