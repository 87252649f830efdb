import { UserRound } from 'lucide-react'
import type { ReactNode } from 'react'

export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter(Boolean)
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => (word ? Array.from(word)[0]! : ''))
    .join('')
}

const SIZES = { small: 'size-5 text-2xs', medium: 'size-9 text-sm' }

interface AvatarProps {
  /** Null for somebody of whom only the number is known. */
  name: string | null
  size?: keyof typeof SIZES
  /** Of the team, rather than a customer. */
  isCoworker?: boolean
  /** What the latest item is, at the edge. */
  mark?: ReactNode
}

/** The initials of a person; the name is always written beside it. */
export function Avatar({ name, size = 'medium', isCoworker = false, mark }: AvatarProps) {
  const initials = name === null || !/\p{L}/u.test(name) ? '' : initialsOf(name)
  return (
    <span aria-hidden="true" className="relative shrink-0">
      <span
        className={`grid place-items-center rounded-full font-semibold uppercase ${SIZES[size]} ${isCoworker ? 'bg-accent text-on-accent' : 'bg-hover text-soft'}`}
      >
        {initials || <UserRound size={size === 'small' ? 12 : 17} />}
      </span>
      {mark && (
        <span className="absolute -right-1 -bottom-1 grid size-4.5 place-items-center rounded-full bg-surface">
          {mark}
        </span>
      )}
    </span>
  )
}
