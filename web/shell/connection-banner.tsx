import { Link } from '@tanstack/react-router'
import { CloudOff } from 'lucide-react'
import { useEffect } from 'react'

import { type Connection, useConnection, watchNetwork } from '../connection/reachability.ts'
import { askToSignIn, useSessionState } from '../connection/signed-out.ts'
import { useTexts } from '../i18n/language.tsx'
import { shellTexts } from '../i18n/shell.ts'
import { useOutbox } from '../outbox/outbox.ts'

/** Above every page while the service cannot be reached or sends no updates, and while texts wait to be sent. */
export function ConnectionBanner() {
  const t = useTexts(shellTexts)
  const connection = useConnection()
  const isSignedOut = useSessionState() === 'put off'
  // Without a session there is no connection for updates and calls either.
  const problem = isSignedOut && connection.isReachable ? undefined : problemOf(connection)
  const waiting = [...useOutbox().values()].filter((text) => text.is === 'waiting')
  useEffect(watchNetwork, [])
  useLeaveQuestion(waiting.length > 0)
  return (
    <div role="status">
      {(problem !== undefined || isSignedOut || waiting.length > 0) && (
        <div className="flex items-start gap-2 border-b bg-warn-ground px-4 py-2 text-sm text-warn">
          <CloudOff size={16} aria-hidden="true" className="mt-0.5 shrink-0" />
          <div className="flex min-w-0 flex-wrap gap-x-2 gap-y-0.5">
            {problem && (
              <p>
                <strong>{t.connection[problem]}</strong> {t.connectionHints[problem]}
              </p>
            )}
            {isSignedOut && (
              <p>
                <strong>{t.signedOut}.</strong>{' '}
                <button type="button" className="font-semibold underline" onClick={askToSignIn}>
                  {t.signIn}
                </button>
              </p>
            )}
            {waiting[0] && (
              // One of them; the others are reached from there.
              <Link
                to="/inbox/$phone"
                params={{ phone: waiting[0].phone }}
                className="font-semibold underline"
              >
                {t.textsWaiting(waiting.length)}
              </Link>
            )}
          </div>
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
