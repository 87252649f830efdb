import { Search } from 'lucide-react'

import { INPUT } from './field.tsx'

interface SearchBoxProps {
  label: string
  /** A shorter text, if the label does not fit. */
  placeholder?: string
  value: string
  onChange(typed: string): void
  /** For its position in the page. */
  className?: string
}

export function SearchBox({ label, placeholder = label, value, onChange, className = '' }: SearchBoxProps) {
  return (
    <div className={`relative ${className}`}>
      <Search size={16} aria-hidden="true" className="absolute top-2.5 left-3 text-soft" />
      <input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        className={`${INPUT} h-9 pl-9`}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}
