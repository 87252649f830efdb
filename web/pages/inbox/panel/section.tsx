import type { ReactNode } from 'react'

/** Beside a thread, under the contact. */
export const PanelSection = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="border-t px-5 py-4">
    <h3 className="mb-2 text-sm font-semibold text-soft">{title}</h3>
    {children}
  </section>
)
