import { useEffect, useRef } from 'react'

import { Button } from './button.tsx'

interface MoreProps {
  label: string
  isLoading?: boolean
  /** After a failure, it loads only on request. */
  hasFailed?: boolean
  onMore(): void
}

/** At the end of a long list: loads more when it scrolls into view, or on a click. */
export function LoadMore({ label, isLoading = false, hasFailed = false, onMore }: MoreProps) {
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
