import { useEffect, useRef } from 'react'

import { Button } from './button.tsx'

interface MoreProps {
  label: string
  isLoading?: boolean
  /** It did not work: it is tried again only when it is asked for. */
  hasFailed?: boolean
  onMore(): void
}

/** At the end of what is shown of a long list: brings the rest as it comes into sight, or when it is pressed. */
export function More({ label, isLoading = false, hasFailed = false, onMore }: MoreProps) {
  const place = useRef<HTMLDivElement>(null)
  const bring = useRef(onMore)
  useEffect(() => {
    bring.current = onMore
  })
  useEffect(() => {
    if (isLoading || hasFailed) return undefined
    const observer = new IntersectionObserver(([seen]) => seen?.isIntersecting && bring.current())
    observer.observe(place.current!)
    return () => observer.disconnect()
  }, [isLoading, hasFailed])
  return (
    <div ref={place} className="p-3 text-center">
      <Button size="small" disabled={isLoading} onClick={onMore}>
        {label}
      </Button>
    </div>
  )
}
