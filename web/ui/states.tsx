import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { useConnection } from '../connection/reachability.ts'
import { useErrorText } from '../i18n/errors.ts'
import { useTexts } from '../i18n/language.tsx'
import { shellTexts } from '../i18n/shell.ts'
import { Button } from './button.tsx'
import { Drawing, type DrawingName } from './drawing/drawing.tsx'

interface EmptyStateProps {
  drawing: DrawingName
  title: string
  /** If it is the only content of the page. */
  isHeading?: boolean
  children?: ReactNode
}

/** In place of a list: why it is empty, and what to do about it. */
export function EmptyState({ drawing, title, isHeading = false, children }: EmptyStateProps) {
  const Title = isHeading ? 'h1' : 'p'
  return (
    <div className="flex flex-col items-center gap-1 px-6 py-10 text-center">
      <Drawing of={drawing} />
      <Title className="font-semibold">{title}</Title>
      <div className="max-w-sm text-soft">{children}</div>
    </div>
  )
}

export const Skeleton = ({ className = 'h-4 w-full' }: { className?: string }) => (
  <div className={`animate-pulse rounded-md bg-hover ${className}`} />
)

/** Placeholder rows of a loading list. */
export function SkeletonRows({ rows = 6 }: { rows?: number }) {
  const t = useTexts(shellTexts)
  return (
    <div role="status" aria-label={t.loading} className="flex flex-col gap-4 p-4">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="flex flex-col gap-2">
          <Skeleton className="h-3.5 w-1/3" />
          <Skeleton className="h-3 w-2/3" />
        </div>
      ))}
    </div>
  )
}

/** In place of what has not been loaded, while the service cannot be reached. */
export function Missing({ title, isHeading }: Partial<Pick<EmptyStateProps, 'title' | 'isHeading'>>) {
  const t = useTexts(shellTexts)
  return (
    <EmptyState drawing="offline" title={title ?? t.missing} isHeading={isHeading}>
      {t.missingHint}
    </EmptyState>
  )
}

/** The same in a small place. */
export const MissingLine = () => <p className="text-sm text-soft">{useTexts(shellTexts).missing}</p>

interface LoadedProps<T> {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>
  children(data: T): ReactNode
  waiting?: ReactNode
  /** While the service cannot be reached. */
  missing?: ReactNode
}

/** The result of a query; before that, a placeholder or the error. */
export function Loaded<T>({
  query,
  children,
  waiting = <SkeletonRows />,
  missing = <Missing />,
}: LoadedProps<T>) {
  const t = useTexts(shellTexts)
  const errorText = useErrorText()
  const { isReachable } = useConnection()
  if (query.data !== undefined) return children(query.data)
  if (!isReachable) return missing
  if (!query.error) return waiting
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-6 py-14 text-center">
      <p className="text-wrong">{errorText(query.error)}</p>
      <Button onClick={() => void query.refetch()}>{t.tryAgain}</Button>
    </div>
  )
}
