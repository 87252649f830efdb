import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { StickyNote, Trash2 } from 'lucide-react'
import { Fragment, useEffect, useMemo } from 'react'

import { useChange } from '../../../api/change.ts'
import type { ActivityItem } from '../../../api/inbox.ts'
import { sessionQuery } from '../../../api/session.ts'
import {
  deleteNote,
  markMentionsSeen,
  type Note,
  notesQuery,
  teamChanges,
  threadTeamQuery,
} from '../../../api/team-inbox.ts'
import { useDates } from '../../../i18n/dates.ts'
import { useTexts } from '../../../i18n/language.tsx'
import { teamTexts } from '../../../i18n/team-inbox.ts'
import { IconButton } from '../../../ui/button.tsx'

export type NoteEntry = Note & { type: 'note'; direction?: undefined }
export type TimelineEntry = ActivityItem | NoteEntry

const entryOf = (note: Note): NoteEntry => ({ ...note, type: 'note' })

/** Activity and notes, newest first. A note that is older than what is loaded waits until that is. */
export function useEntries(phone: string, items: ActivityItem[], isAll: boolean): TimelineEntry[] {
  const pages = useInfiniteQuery(notesQuery(phone)).data?.pages
  useMentionsSeen(phone)
  return useMemo(() => {
    const oldest = isAll ? undefined : items.at(-1)?.created_at
    const notes = (pages ?? [])
      .flatMap((page) => page.notes)
      .filter(({ created_at }) => oldest === undefined || created_at >= oldest)
      .map(entryOf)
    return [...items, ...notes].toSorted((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at))
  }, [items, pages, isAll])
}

/** Whoever has the thread before them has seen that a note mentions them. */
function useMentionsSeen(phone: string): void {
  const mentionsMe = useQuery(threadTeamQuery(phone)).data?.mentions_me ?? false
  const { mutate } = useChange(markMentionsSeen, { touches: teamChanges(phone), quietAbout: () => true })
  useEffect(() => {
    if (!mentionsMe) return undefined
    const mark = () => document.visibilityState === 'visible' && mutate(phone)
    mark()
    document.addEventListener('visibilitychange', mark)
    return () => document.removeEventListener('visibilitychange', mark)
  }, [phone, mentionsMe, mutate])
}

/** In the timeline: set apart from what the customer has seen. */
export function NoteItem({ note }: { note: NoteEntry }) {
  return (
    <div className="mx-auto flex w-full max-w-xl gap-2.5 rounded-xl border border-warn/25 bg-warn-ground px-3.5 py-2.5">
      <StickyNote size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-warn" />
      <NoteText note={note} />
    </div>
  )
}

export function NoteText({ note }: { note: Note }) {
  const t = useTexts(teamTexts)
  const dates = useDates()
  const self = useQuery(sessionQuery()).data?.employee.id
  const remove = useChange(deleteNote, { touches: teamChanges(note.phone_number) })
  return (
    <div className="min-w-0 flex-1">
      <p className="break-words whitespace-pre-wrap">
        <WithMentions note={note} />
      </p>
      <p className="mt-0.5 flex items-center gap-1 text-xs text-soft">
        <span className="min-w-0 flex-1">{t.noteBy(note.author.name, dates.whole(note.created_at))}</span>
        {note.author.id === self && (
          <IconButton
            label={t.deleteNote}
            className="h-6 w-6"
            disabled={remove.isPending}
            onClick={() => remove.mutate({ phone: note.phone_number, id: note.id })}
          >
            <Trash2 size={13} />
          </IconButton>
        )}
      </p>
    </div>
  )
}

function WithMentions({ note: { text, mentions } }: { note: Note }) {
  const names = mentions.map(({ name }) => `@${name}`).toSorted((a, b) => b.length - a.length)
  if (names.length === 0) return text
  const escaped = names.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  return text
    .split(new RegExp(`(${escaped.join('|')})`))
    .map((part, index) => (
      <Fragment key={index}>
        {names.includes(part) ? <strong className="font-semibold text-accent">{part}</strong> : part}
      </Fragment>
    ))
}
