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
  const { sentence, isLoading } = useHowItEnded(call.id, why)
  useEffect(() => {
    if (isLoading || (why !== 'hung_up' && why !== 'elsewhere' && !isBrief)) return
    const timer = setTimeout(() => phone.dismiss(), SHOWN_MS)
    return () => clearTimeout(timer)
    // Another sentence has to be read too.
  }, [phone, why, isBrief, isLoading, sentence])
  return (
    <div className="p-4 text-center">
      {!isBrief && <RemoteParty call={call} />}
      <p role="status" className={`text-sm font-semibold ${isBrief ? '' : 'mt-2'}`}>
        {sentence}
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

/** Until the server has answered, the sentence says less. */
function useHowItEnded(callId: string | null, why: EndReason): { sentence: string; isLoading: boolean } {
  const t = useTexts(phoneTexts)
  const afterTransfer = useTakenOver(callId, why === 'hung_up')
  const elsewhere = useAnswerer(callId, why === 'elsewhere')
  return {
    sentence: afterTransfer.sentence ?? elsewhere.sentence ?? t.ended[why],
    isLoading: afterTransfer.isLoading || elsewhere.isLoading,
  }
}

/** The phone has left; after a transfer the call goes on. */
function useTakenOver(callId: string | null, isAsked: boolean) {
  const t = useTexts(phoneTexts)
  const target = isAsked ? targetOf(callId) : undefined
  const { data: state, isLoading } = useQuery({ ...callStateQuery(callId), enabled: target !== undefined })
  const goesOn = state !== undefined && state !== 'ended'
  return { sentence: target !== undefined && goesOn ? t.hasTheCaller(target) : undefined, isLoading }
}

/** Who answered; without a name if it was an internal call. */
function useAnswerer(callId: string | null, isAsked: boolean) {
  const t = useTexts(phoneTexts)
  const { data: session } = useQuery(sessionQuery())
  const query = answererQuery(callId)
  const { data: answerer, isLoading } = useQuery({ ...query, enabled: isAsked && query.enabled === true })
  if (!isAsked || !answerer) return { sentence: undefined, isLoading }
  const isMe = answerer.id === session?.employee.id
  return { sentence: isMe ? t.answeredByYou : t.answeredBy(answerer.name), isLoading }
}
