import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'

import { onboardingQuery } from '../../api/onboarding.ts'
import { inboxTexts } from '../../i18n/inbox.ts'
import { useTexts } from '../../i18n/language.tsx'
import { isUnfinished } from '../../onboarding/unfinished.ts'
import { usePageTitle } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { ThreadList } from './thread-list.tsx'
import { ThreadView } from './thread-view.tsx'

const FirstSteps = lazy(() => import('../../onboarding/first-steps.tsx'))

/** The list of threads beside the open one; on a phone, one or the other. */
export default function InboxPage() {
  const t = useTexts(inboxTexts)
  usePageTitle(t.title)
  const { phone } = useParams({ strict: false })
  const onboarding = useQuery(onboardingQuery())
  const firstSteps = onboarding.data && isUnfinished(onboarding.data) && (
    <Suspense>
      <FirstSteps onboarding={onboarding.data} />
    </Suspense>
  )
  return (
    <div className="flex h-full">
      <h1 className="sr-only">{t.title}</h1>
      <section
        aria-label={t.threads}
        className={`w-full flex-col border-r bg-surface md:flex md:w-80 md:shrink-0 ${phone === undefined ? 'flex' : 'hidden'}`}
      >
        <ThreadList open={phone} above={firstSteps && <div className="p-3 md:hidden">{firstSteps}</div>} />
      </section>
      <div className={`min-w-0 flex-1 ${phone === undefined ? 'hidden md:block' : ''}`}>
        {phone === undefined ? (
          <NothingOpen isKnown={!onboarding.isLoading} firstSteps={firstSteps} />
        ) : (
          <ThreadView key={phone} phone={phone} />
        )}
      </div>
    </div>
  )
}

/** In place of a thread: what a newcomer can try, or what to choose. */
function NothingOpen({ isKnown, firstSteps }: { isKnown: boolean; firstSteps: ReactNode }) {
  const t = useTexts(inboxTexts)
  if (!isKnown) return null
  if (firstSteps) {
    return (
      // Padding below, because the phone floats over the end.
      <div className="h-full overflow-y-auto px-6 pt-8 pb-24">
        <div className="mx-auto max-w-xl">{firstSteps}</div>
      </div>
    )
  }
  return (
    <EmptyState drawing="conversation" title={t.choose}>
      {t.chooseHint}
    </EmptyState>
  )
}
