import { Link } from '@tanstack/react-router'
import {
  Check,
  CheckCheck,
  CircleAlert,
  Clock3,
  Phone,
  PhoneIncoming,
  PhoneMissed,
  PhoneOutgoing,
  Voicemail,
} from 'lucide-react'
import { useRef } from 'react'

import { useChange } from '../../api/change.ts'
import { newIdempotencyKey } from '../../api/idempotency-key.ts'
import { type CallItem, type Message, retryMessage, type VoicemailItem } from '../../api/inbox.ts'
import { setListened } from '../../api/voicemails.ts'
import { Unreachable } from '../../connection/reachability.ts'
import { clockTime, useDates } from '../../i18n/dates.ts'
import { inboxTexts } from '../../i18n/inbox.ts'
import { useTexts } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { Player } from '../../ui/player/player.tsx'
import { WrapUpSection } from '../../wrap-up/wrap-up-section.tsx'
import { NoteItem, type TimelineEntry } from './team/notes.tsx'

export function TimelineItem({ item }: { item: TimelineEntry }) {
  if (item.type === 'note') return <NoteItem note={item} />
  if (item.type === 'message') return <TextItem message={item} />
  return item.type === 'call' ? <CallEntry call={item} /> : <VoicemailEntry voicemail={item} />
}

const ENTRY = 'max-w-lg rounded-xl border bg-surface px-3.5 py-2.5'

function CallEntry({ call }: { call: CallItem }) {
  const t = useTexts(inboxTexts)
  const dates = useDates()
  const incoming = call.direction === 'inbound'
  const Icon = call.missed ? PhoneMissed : incoming ? PhoneIncoming : PhoneOutgoing
  const what = call.missed ? t.missedCall : incoming ? t.incomingCall : t.outgoingCall
  return (
    <div className={`${ENTRY} ${incoming ? '' : 'ml-auto'}`}>
      <p className={`flex items-center gap-2 font-medium ${call.missed ? 'text-wrong' : ''}`}>
        <Icon size={16} aria-hidden="true" /> {what}
        {call.state !== 'ended' && (
          <span className="flex items-center gap-1 text-sm text-accent">
            <Phone size={13} aria-hidden="true" /> {t.callInProgress}
          </span>
        )}
      </p>
      <p className="text-sm text-soft">
        {[
          dates.time(call.created_at),
          call.business_number_name,
          call.employee && t.withWhom(call.employee.name),
          call.duration !== null && !call.missed && clockTime(call.duration),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {call.summary && <p className="mt-1.5">{call.summary}</p>}
      {!call.missed && (
        <div className="mt-1 flex flex-wrap items-center gap-x-5 gap-y-1.5">
          <Link to="/calls/$id" params={{ id: call.id }} className="text-sm text-accent underline">
            {t.openCall}
          </Link>
          {(call.employee ?? call.wrap_up) && <WrapUpSection callId={call.id} wrapUp={call.wrap_up} />}
        </div>
      )}
    </div>
  )
}

function VoicemailEntry({ voicemail }: { voicemail: VoicemailItem }) {
  const t = useTexts(inboxTexts)
  const dates = useDates()
  const listen = useChange(setListened, { touches: [['voicemails'], ['activity']] })
  return (
    <div className={ENTRY}>
      <p className="flex items-center gap-2 font-medium">
        <Voicemail size={16} aria-hidden="true" className={voicemail.listened ? '' : 'text-accent'} />{' '}
        {t.voicemail}
      </p>
      <p className="mb-2 text-sm text-soft">
        {[
          dates.time(voicemail.created_at),
          voicemail.business_number_name,
          voicemail.duration !== null && clockTime(voicemail.duration),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {voicemail.recording_url && (
        <Player
          src={voicemail.recording_url}
          recording={{ of: 'voicemail', id: voicemail.id }}
          label={t.listen}
          seconds={voicemail.duration ?? undefined}
          onFirstPlay={() => !voicemail.listened && listen.mutate({ id: voicemail.id, listened: true })}
        />
      )}
      <p className={`mt-1.5 ${voicemail.transcription ? '' : 'text-sm text-soft'}`}>
        {voicemail.transcription ?? t.noTranscript}
      </p>
    </div>
  )
}

function TextItem({ message }: { message: Message }) {
  const t = useTexts(inboxTexts)
  const dates = useDates()
  const incoming = message.direction === 'inbound'
  const retry = useRetry(message.id)
  const author = message.author.type === 'automation' ? t.automatic : message.author.name
  return (
    <div className={`flex flex-col ${incoming ? 'items-start' : 'items-end'}`}>
      <p
        className={`max-w-[85%] rounded-2xl px-3.5 py-2 break-words whitespace-pre-wrap md:max-w-lg ${incoming ? 'rounded-bl-md border bg-surface' : 'rounded-br-md bg-accent-ground'}`}
      >
        {message.text}
      </p>
      <p
        className={`mt-0.5 flex flex-wrap items-center gap-x-1.5 px-1 text-xs text-soft ${incoming ? '' : 'justify-end'}`}
      >
        {[dates.time(message.created_at), message.business_number_name, !incoming && author]
          .filter(Boolean)
          .join(' · ')}
        {!incoming && <Status message={message} />}
        {message.can_retry && (
          <Button
            size="small"
            look="bare"
            className="h-6 text-accent"
            disabled={retry.isPending}
            onClick={() => retry.mutate()}
          >
            {t.retry}
          </Button>
        )}
      </p>
    </div>
  )
}

/** The same key until there is a response, so that a second click does not send the text twice. */
function useRetry(id: string) {
  const key = useRef<string>(undefined)
  const retry = async () => {
    key.current ??= newIdempotencyKey()
    try {
      await retryMessage({ id, key: key.current })
      key.current = undefined
    } catch (error) {
      if (!(error instanceof Unreachable)) key.current = undefined
      throw error
    }
  }
  return useChange(retry, { touches: [['activity'], ['inbox']] })
}

const STATUS_ICONS = {
  queued: Clock3,
  accepted: Check,
  delivered: CheckCheck,
  failed: CircleAlert,
  unknown: CircleAlert,
  received: Check,
}

/** Other codes are the provider's own, which mean nothing to employees. */
function reasonOf(status: 'failed' | 'unknown', code: string | null) {
  if (code === 'provider_rejected' || code === 'sending_unavailable') return code
  return status === 'unknown' ? 'unknown' : undefined
}

function Status({ message: { status, failure_code } }: { message: Message }) {
  const t = useTexts(inboxTexts)
  const Icon = STATUS_ICONS[status]
  const bad = status === 'failed' || status === 'unknown'
  const reason = bad && reasonOf(status, failure_code)
  return (
    <span
      className={`inline-flex items-center gap-1 ${bad ? 'font-semibold text-wrong' : ''}`}
      title={failure_code ?? undefined}
    >
      <Icon size={13} aria-hidden="true" /> {t[status]}
      {reason && <span className="font-normal">{t.why[reason]}</span>}
    </span>
  )
}
