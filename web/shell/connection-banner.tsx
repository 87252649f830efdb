import { Link } from '@tanstack/react-router'
import { CloudOff } from 'lucide-react'
import { useEffect } from 'react'

import { type Connection, useConnection, watchNetwork } from '../connection/reachability.ts'
import { useTexts } from '../i18n/language.tsx'
import { shellTexts } from '../i18n/shell.ts'
import { useOutbox } from '../outbox/outbox.ts'

/** Above every page while the service cannot be reached or sends no updates, and while texts wait to be sent. */
export function ConnectionBanner() {
  const t = useTexts(shellTexts)
  const problem = problemOf(useConnection())
  const waiting = [...useOutbox().values()].filter((text) => text.is === 'waiting')
  useEffect(watchNetwork, [])
  useLeaveQuestion(waiting.length > 0)
  return (
    <div role="status">
      {(problem !== undefined || waiting.length > 0) && (
        <div className="flex flex-wrap items-center gap-x-2 gap-y-0.5 border-b bg-warn-ground px-4 py-2 text-sm text-warn">
          <CloudOff size={16} aria-hidden="true" className="shrink-0" />
          {problem && (
            <p className="min-w-0">
              <strong>{t.connection[problem]}</strong> {t.connectionHints[problem]}
            </p>
          )}
          {waiting[0] && (
            // One of them; the others are reached from there.
            <Link to="/inbox/$phone" params={{ phone: waiting[0].phone }} className="font-semibold underline">
              {t.textsWaiting(waiting.length)}
            </Link>
          )}
        </div>
      )}
    </div>
  )
}

function problemOf({ isReachable, isPhoneLost, isLive }: Connection) {
  if (!isReachable) return navigator.onLine ? 'unreachable' : 'offline'
  if (isPhoneLost) return 'phoneLost'
  return isLive ? undefined : 'notLive'
}

/** A closed page sends nothing. */
function useLeaveQuestion(isAsked: boolean): void {
  useEffect(() => {
    if (!isAsked) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isAsked])
}
