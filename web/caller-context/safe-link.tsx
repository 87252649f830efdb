import type { ReactNode } from 'react'

interface SafeLinkProps {
  /** From another system: not to be trusted. */
  url: string | undefined
  /** For what shows no text. */
  label?: string
  className?: string
  children: ReactNode
}

/** Leads to a page of another system, which learns nothing of this one; only the content if it leads nowhere. */
export function SafeLink({ url, label, className = '', children }: SafeLinkProps) {
  const address = webAddress(url)
  if (address === undefined) return children
  return (
    <a
      href={address}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={label}
      title={label}
      className={className || 'text-accent underline'}
    >
      {children}
    </a>
  )
}

function webAddress(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined
  const { protocol, href } = new URL(url)
  return protocol === 'https:' || protocol === 'http:' ? href : undefined
}
