import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'

import { sessionQuery } from '../../api/session.ts'
import { useTexts } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import type { Phone } from '../phone/phone.ts'
import type { EndReason, PhoneCall } from '../phone/state.ts'
import { answererQuery, callStateQuery } from '../queries.ts'
import { phoneTexts } from '../texts.ts'
import { targetOf } from '../transfer/last-target.ts'
import { RemoteParty } from './remote-party.tsx'

/** Long enough to be read. An error stays until it is closed, unless there is something else to close. */
const SHOWN_MS = 4_000

interface EndedCardProps {
  phone: Phone
  call: PhoneCall
  why: EndReason
  /** What follows names the remote party, and can be closed. */
  isBrief: boolean
}

export function EndedCard({ phone, call, why, isBrief }: EndedCardProps) {
  const t = useTexts(phoneTexts)
  useEffect(() => {
    if (why !== 'hung_up' && why !== 'elsewhere' && !isBrief) return
    const timer = setTimeout(() => phone.dismiss(), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [phone, why, isBrief])
  return (
    <div className="p-4 text-center">
      {!isBrief && <RemoteParty call={call} />}
      <p role="status" className={`text-sm font-semibold ${isBrief ? '' : 'mt-2'}`}>
        <HowItEnded call={call} why={why} />
      </p>
      {why in t.endedHints && (
        <p className="mt-1 text-sm text-soft">{t.endedHints[why as keyof typeof t.endedHints]}</p>
      )}
      {!isBrief && (
        <Button className="mt-4 w-full" onClick={() => phone.dismiss()}>
          {t.dismiss}
        </Button>
      )}
    </div>
  )
}

function HowItEnded({ call, why }: { call: PhoneCall; why: EndReason }) {
  const t = useTexts(phoneTexts)
  if (why === 'elsewhere') return <AnsweredElsewhere callId={call.id} />
  return why === 'hung_up' ? <HungUp callId={call.id} /> : t.ended[why]
}

/** The phone has left; after a transfer the call goes on. */
function HungUp({ callId }: { callId: string | null }) {
  const t = useTexts(phoneTexts)
  const target = targetOf(callId)
  const { data: state } = useQuery({ ...callStateQuery(callId), enabled: target !== undefined })
  const goesOn = state !== undefined && state !== 'ended'
  return target !== undefined && goesOn ? t.hasTheCaller(target) : t.ended.hung_up
}

/** Who answered; without a name if it was an internal call. */
function AnsweredElsewhere({ callId }: { callId: string | null }) {
  const t = useTexts(phoneTexts)
  const { data: session } = useQuery(sessionQuery())
  const { data: answerer } = useQuery(answererQuery(callId))
  if (!answerer) return t.ended.elsewhere
  return answerer.id === session?.employee.id ? t.answeredByYou : t.answeredBy(answerer.name)
}
