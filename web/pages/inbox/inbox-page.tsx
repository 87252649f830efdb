import { useParams } from '@tanstack/react-router'

import { inboxTexts } from '../../i18n/inbox.ts'
import { useTexts } from '../../i18n/language.tsx'
import { usePageTitle } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { ThreadList } from './thread-list.tsx'
import { ThreadView } from './thread-view.tsx'

/** The list of threads beside the open one; on a phone, one or the other. */
export default function InboxPage() {
  const t = useTexts(inboxTexts)
  usePageTitle(t.title)
  const { phone } = useParams({ strict: false })
  return (
    <div className="flex h-full">
      <h1 className="sr-only">{t.title}</h1>
      <section
        aria-label={t.threads}
        className={`w-full flex-col border-r bg-surface md:flex md:w-80 md:shrink-0 ${phone === undefined ? 'flex' : 'hidden'}`}
      >
        <ThreadList open={phone} />
      </section>
      <div className={`min-w-0 flex-1 ${phone === undefined ? 'hidden md:block' : ''}`}>
        {phone === undefined ? (
          <EmptyState drawing="conversation" title={t.choose}>
            {t.chooseHint}
          </EmptyState>
        ) : (
          <ThreadView key={phone} phone={phone} />
        )}
      </div>
    </div>
  )
}
