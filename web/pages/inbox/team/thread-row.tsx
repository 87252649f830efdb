import { Link } from '@tanstack/react-router'
import { AlarmClock, AtSign, MessageSquare, Phone, PhoneMissed, Voicemail } from 'lucide-react'

import type { TeamThread } from '../../../api/team-inbox.ts'
import { useDates } from '../../../i18n/dates.ts'
import { inboxTexts } from '../../../i18n/inbox.ts'
import { useTexts } from '../../../i18n/language.tsx'
import { useReadableNumber } from '../../../i18n/remote-numbers.ts'
import { teamTexts } from '../../../i18n/team-inbox.ts'
import { ROW } from '../../../keys/rows.ts'
import { Avatar } from '../../../people/avatar.tsx'

export function ThreadRow({ thread, open }: { thread: TeamThread; open: boolean }) {
  const t = useTexts(inboxTexts)
  const dates = useDates()
  const readable = useReadableNumber()
  const { phone_number, contact, unseen_count, preview, latest_item } = thread
  const isMissed = latest_item.type === 'call' && latest_item.missed
  const Icon = iconOf(latest_item)
  const tone = isMissed ? 'text-wrong' : unseen_count > 0 ? 'text-accent' : 'text-soft'
  const previewTone = isMissed ? 'font-medium text-wrong' : unseen_count > 0 ? 'text-ink' : 'text-soft'
  return (
    <li>
      <Link
        to="/inbox/$phone"
        params={{ phone: phone_number }}
        aria-current={open ? 'page' : undefined}
        {...ROW}
        className={`flex gap-3 border-b px-3 py-2.5 outline-offset-[-2px] hover:bg-hover ${open ? 'bg-accent-ground' : ''}`}
      >
        <Avatar name={contact?.name ?? null} mark={<Icon size={13} className={tone} />} />
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline gap-2">
            <span className={`min-w-0 flex-1 truncate ${unseen_count > 0 ? 'font-bold' : 'font-medium'}`}>
              {contact?.name ?? contact?.phone_formatted ?? readable(phone_number)}
            </span>
            <time className="text-xs text-soft" dateTime={thread.last_activity_at}>
              {dates.brief(thread.last_activity_at)}
            </time>
          </span>
          <span className="flex items-center gap-2">
            <span className={`min-w-0 flex-1 truncate text-sm ${previewTone}`}>
              {preview || describe(latest_item, t)}
            </span>
            <Marks thread={thread} />
            {unseen_count > 0 && (
              <span
                aria-label={t.unseen(unseen_count)}
                className="rounded-full bg-accent px-1.5 text-xs font-bold text-on-accent"
              >
                {unseen_count}
              </span>
            )}
          </span>
        </span>
      </Link>
    </li>
  )
}

/** What the team has to do with it. */
function Marks({ thread: { mentions_me, is_back, snoozed_until, assignee } }: { thread: TeamThread }) {
  const t = useTexts(teamTexts)
  const dates = useDates()
  return (
    <>
      {mentions_me && (
        <span className="text-accent" title={t.mentionsYou}>
          <AtSign size={14} aria-hidden="true" />
          <span className="sr-only">{t.mentionsYou}</span>
        </span>
      )}
      {is_back && (
        <span className="flex items-center gap-1 text-xs font-semibold text-warn">
          <AlarmClock size={13} aria-hidden="true" /> {t.back}
        </span>
      )}
      {snoozed_until && (
        <span
          className="flex items-center gap-1 text-xs text-soft"
          title={t.snoozedUntil(dates.whole(snoozed_until))}
        >
          <AlarmClock size={13} aria-hidden="true" /> {dates.brief(snoozed_until)}
        </span>
      )}
      {assignee && (
        <span title={t.assignedTo(assignee.name)}>
          <Avatar name={assignee.name} size="small" isCoworker />
          <span className="sr-only">{t.assignedTo(assignee.name)}</span>
        </span>
      )}
    </>
  )
}

type Latest = TeamThread['latest_item']

function iconOf(item: Latest) {
  if (item.type === 'voicemail') return Voicemail
  if (item.type === 'message') return MessageSquare
  return item.missed ? PhoneMissed : Phone
}

function describe(
  item: Latest,
  t: { missedCall: string; incomingCall: string; outgoingCall: string; voicemail: string },
) {
  if (item.type === 'voicemail') return t.voicemail
  if (item.type === 'message') return ''
  if (item.missed) return t.missedCall
  return item.direction === 'inbound' ? t.incomingCall : t.outgoingCall
}
