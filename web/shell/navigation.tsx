import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Ellipsis, Search } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'

import { unseenQuery } from '../api/inbox.ts'
import type { Session } from '../api/session.ts'
import { useTexts } from '../i18n/language.tsx'
import { shellTexts } from '../i18n/shell.ts'
import { openPalette } from '../palette/open-palette.ts'
import { IconButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { AccountMenu } from './account-menu.tsx'
import { DAILY_ITEMS, type NavigationItem, setupItemsOf } from './navigation-items.ts'
import { Wordmark } from './wordmark.tsx'

// Needs the phone, which is large, and loaded after the page.
const OwnStatus = lazy(() => import('../softphone/status/own-status.tsx'))

export function SideNavigation({ session }: { session: Session }) {
  const t = useTexts(shellTexts)
  return (
    <div className="hidden w-56 shrink-0 flex-col border-r bg-surface md:flex wall:hidden">
      <div className="flex items-center justify-between py-3 pr-2 pl-4">
        <Wordmark />
        <OpenPalette />
      </div>
      <nav aria-label={t.navigation} className="flex-1 overflow-y-auto px-2">
        <Places places={DAILY_ITEMS} />
        <p className="px-2.5 pt-5 pb-1 text-xs font-semibold text-soft">{t.setup}</p>
        <Places places={setupItemsOf(session)} />
      </nav>
      <div className="flex flex-col gap-1 border-t p-2">
        <div className="min-h-11">
          <Suspense fallback={null}>
            <OwnStatus side="top" />
          </Suspense>
        </div>
        <AccountMenu session={session} />
      </div>
    </div>
  )
}

function OpenPalette() {
  const t = useTexts(shellTexts)
  return (
    <IconButton label={t.goTo} onClick={openPalette}>
      <Search size={18} />
    </IconButton>
  )
}

function Places({ places, onGo }: { places: NavigationItem[]; onGo?(): void }) {
  const t = useTexts(shellTexts)
  return (
    <ul className="flex flex-col gap-px">
      {places.map(({ name, to, icon: Icon }) => (
        <li key={name}>
          <Link
            to={to}
            onClick={onGo}
            className="flex items-center gap-2.5 rounded-lg px-2.5 py-1.5 text-sm text-soft hover:bg-hover hover:text-ink aria-[current=page]:bg-accent-ground aria-[current=page]:font-semibold aria-[current=page]:text-accent"
          >
            <Icon size={17} aria-hidden="true" />
            <span className="flex-1">{t[name]}</span>
            {name === 'inbox' && <UnseenCount />}
          </Link>
        </li>
      ))}
    </ul>
  )
}

function UnseenCount() {
  const t = useTexts(shellTexts)
  const total = useQuery(unseenQuery()).data?.total ?? 0
  if (total === 0) return null
  return (
    <span
      className="rounded-full bg-accent px-1.5 text-xs font-bold text-on-accent"
      aria-label={t.unseen(total)}
    >
      {total > 99 ? '99+' : total}
    </span>
  )
}

/** On a phone: the status of the employee, above every page. */
export const TopBar = () => (
  <header className="flex min-h-12 items-center gap-3 border-b bg-surface px-3 md:hidden wall:hidden">
    <Wordmark />
    <OpenPalette />
    <div className="ml-auto min-w-0">
      <Suspense fallback={null}>
        <OwnStatus side="bottom" />
      </Suspense>
    </div>
  </header>
)

/** On a phone: the most used pages, and the others in a menu. */
export function BottomNavigation({ session }: { session: Session }) {
  const t = useTexts(shellTexts)
  const [open, setOpen] = useState(false)
  const item = 'relative flex flex-1 flex-col items-center gap-0.5 py-1.5 text-2xs text-soft'
  return (
    <nav
      aria-label={t.navigation}
      className="flex border-t bg-surface pb-[env(safe-area-inset-bottom)] md:hidden wall:hidden"
    >
      {DAILY_ITEMS.map(({ name, to, icon: Icon }) => (
        <Link
          key={name}
          to={to}
          className={`${item} aria-[current=page]:font-semibold aria-[current=page]:text-accent`}
        >
          <Icon size={20} aria-hidden="true" />
          {t[name]}
          {name === 'inbox' && (
            <span className="absolute top-0.5 left-1/2 ml-1">
              <UnseenCount />
            </span>
          )}
        </Link>
      ))}
      <button type="button" className={item} onClick={() => setOpen(true)}>
        <Ellipsis size={20} aria-hidden="true" />
        {t.more}
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title={t.setup}>
        <Places places={setupItemsOf(session)} onGo={() => setOpen(false)} />
        <div className="mt-3 border-t pt-3">
          <AccountMenu session={session} />
        </div>
      </Dialog>
    </nav>
  )
}
