import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

import { client } from '../api/client.ts'
import type { Session } from '../api/session.ts'
import { putSignInOff, sessionIsBack, useSessionState } from '../connection/signed-out.ts'
import { useTexts } from '../i18n/language.tsx'
import { shellTexts } from '../i18n/shell.ts'
import { reconnectLive } from '../live/calls-channel.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { forgetUnsavedEdits } from '../unsaved/unsaved-edits.ts'

/** Leads to a page without the dashboard, and so without a second phone. */
const SIGN_IN = `/sign-in?return_to=${encodeURIComponent('/account?standalone')}`

const LIMITS = { lookMs: 2_000 }

/** The session has ended on a page with unsaved edits, or during a call: the page stays while they sign in again. */
export function SignInAgain({ session }: { session: Session }) {
  const t = useTexts(shellTexts)
  const state = useSessionState()
  const isMissing = state !== 'there'
  const queries = useQueryClient()
  const opened = useRef<Window | null>(null)
  const employeeId = session.employee.id
  useEffect(() => {
    if (!isMissing) return undefined
    const look = async () => {
      const answer = await client.GET('/api/v1/session', {}).catch(() => undefined)
      if (!answer?.data) return
      opened.current?.close()
      if (answer.data.employee.id !== employeeId) return startAnew()
      sessionIsBack()
      reconnectLive()
      await queries.invalidateQueries()
    }
    const timer = setInterval(() => void look(), LIMITS.lookMs)
    return () => clearInterval(timer)
  }, [isMissing, queries, employeeId])
  return (
    <Dialog
      open={state === 'asked for'}
      onClose={putSignInOff}
      title={t.signedOut}
      description={t.signedOutHint}
    >
      <div className="flex justify-end">
        <Button
          look="main"
          onClick={() => (opened.current = window.open(SIGN_IN, '', 'popup,width=480,height=720'))}
        >
          {t.signIn}
        </Button>
      </div>
    </Dialog>
  )
}

/** Nothing on this page belongs to the employee who has signed in now. */
function startAnew(): void {
  forgetUnsavedEdits()
  window.location.reload()
}
