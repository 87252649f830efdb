import type { ReactNode } from 'react'

interface SafeLinkProps {
  /** From another system: not trusted. */
  url: string | undefined
  /** For content without text. */
  label?: string
  className?: string
  children: ReactNode
}

/** Links to another system without a referrer; shows only the content if the URL is not safe. */
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
