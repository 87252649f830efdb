import type { ReactNode } from 'react'

interface PersonRowProps {
  onCall(): void
  /** Beside the button that calls them. */
  star: ReactNode
  children: ReactNode
}

/** Somebody who is called with one click. */
export const PersonRow = ({ onCall, star, children }: PersonRowProps) => (
  <li className="flex items-center">
    <button
      type="button"
      className="flex min-w-0 flex-1 items-center gap-2 rounded-lg px-2 py-1.5 text-left text-sm hover:bg-hover"
      onClick={onCall}
    >
      {children}
    </button>
    {star}
  </li>
)
