import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect } from 'react'

import { unseenQuery } from '../api/inbox.ts'
import { sessionQuery } from '../api/session.ts'
import { useTexts } from '../i18n/language.tsx'
import { shellTexts } from '../i18n/shell.ts'
import { ShellKeys } from '../keys/shell-keys.tsx'
import { subscribeLive } from '../live/calls-channel.ts'
import { Loaded } from '../ui/states.tsx'
import { showInTab } from '../ui/tab/tab.ts'
import { LeaveQuestion } from '../unsaved/leave-question.tsx'
import { ConnectionBanner } from './connection-banner.tsx'
import { KeepLanguage } from './keep-language.ts'
import { BottomNavigation, SideNavigation, TopBar } from './navigation.tsx'
import { PageLoading } from './page-loading.tsx'
import { SignInAgain } from './sign-in-again.tsx'

// The softphone is large, and no page needs it to render.
const Softphone = lazy(() => import('../softphone/index.tsx'))

/** The frame around every page. Without a session nothing is shown: the query redirects to the sign-in. */
export function Shell() {
  const session = useQuery(sessionQuery())
  return (
    <Loaded query={session}>
      {(session) => (
        <div className="flex h-dvh flex-col md:flex-row">
          <SkipLinks />
          <LiveUpdates />
          <KeepLanguage session={session} />
          <ShellKeys />
          <UnseenInTab />
          <LeaveQuestion />
          <SignInAgain session={session} />
          <TopBar />
          <SideNavigation session={session} />
          <div className="flex min-h-0 min-w-0 flex-1 flex-col">
            <ConnectionBanner />
            <main id="content" tabIndex={-1} className="min-h-0 flex-1 overflow-y-auto outline-none">
              <Suspense fallback={<PageLoading />}>
                <Outlet />
              </Suspense>
            </main>
          </div>
          <Suspense fallback={null}>
            <Softphone />
          </Suspense>
          <BottomNavigation session={session} />
        </div>
      )}
    </Loaded>
  )
}

/** Past the navigation, and in the inbox past its filters too. */
function SkipLinks() {
  const t = useTexts(shellTexts)
  const isInbox = useRouterState({ select: ({ location }) => location.pathname.startsWith('/inbox') })
  return (
    <>
      <SkipLink to="#content">{t.skip}</SkipLink>
      {isInbox && <SkipLink to="main [data-row]">{t.skipToThreads}</SkipLink>}
    </>
  )
}

function SkipLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a
      href="#content"
      className="sr-only z-60 rounded-lg bg-accent px-4 py-2 font-semibold text-on-accent focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      onClick={(event) => {
        // The router would treat the fragment as a route.
        event.preventDefault()
        document.querySelector<HTMLElement>(to)?.focus()
      }}
    >
      {children}
    </a>
  )
}

function UnseenInTab() {
  const unseen = useQuery(unseenQuery()).data?.total ?? 0
  useEffect(() => showInTab({ unseen }), [unseen])
  return null
}

function LiveUpdates() {
  const queries = useQueryClient()
  useEffect(() => subscribeLive(queries), [queries])
  return null
}
