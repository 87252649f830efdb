import { Link } from '@tanstack/react-router'

import { useTexts } from '../i18n/language.tsx'
import { shellTexts } from '../i18n/shell.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { usePageTitle } from '../ui/page.tsx'
import { EmptyState } from '../ui/states.tsx'

export function NotFoundPage() {
  const t = useTexts(shellTexts)
  usePageTitle(t.notFound)
  return (
    <EmptyState drawing="signpost" title={t.notFound} isHeading>
      <p className="mb-4">{t.notFoundHint}</p>
      <Link to="/inbox" className={buttonClass()}>
        {t.toInbox}
      </Link>
    </EmptyState>
  )
}

export function BrokenPage() {
  const t = useTexts(shellTexts)
  return (
    <EmptyState drawing="broken" title={t.broken} isHeading>
      <p className="mb-4">{t.brokenHint}</p>
      <Button onClick={() => window.location.reload()}>{t.reload}</Button>
    </EmptyState>
  )
}
