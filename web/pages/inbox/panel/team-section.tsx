import { useInfiniteQuery, useQuery } from '@tanstack/react-query'

import { notesQuery, threadTeamQuery } from '../../../api/team-inbox.ts'
import { useDates } from '../../../i18n/dates.ts'
import { useTexts } from '../../../i18n/language.tsx'
import { teamTexts } from '../../../i18n/team-inbox.ts'
import { Avatar } from '../../../people/avatar.tsx'
import { NoteText } from '../team/notes.tsx'
import { PanelSection } from './section.tsx'

/** More would push the calls out of sight; all are in the timeline. */
const LIMITS = { notes: 3 }

export function TeamSection({ phone }: { phone: string }) {
  const t = useTexts(teamTexts)
  const dates = useDates()
  const { data: team } = useQuery(threadTeamQuery(phone))
  if (!team) return null
  return (
    <PanelSection title={t.team}>
      <p className="flex items-center gap-2 text-sm">
        <Avatar name={team.assignee?.name ?? null} size="small" isCoworker={team.assignee !== null} />
        {team.assignee ? t.assignedTo(team.assignee.name) : t.nobody}
      </p>
      {team.snoozed_until && (
        <p className="mt-1 text-sm text-soft">{t.snoozedUntil(dates.whole(team.snoozed_until))}</p>
      )}
    </PanelSection>
  )
}

export function NotesSection({ phone }: { phone: string }) {
  const t = useTexts(teamTexts)
  const notes = useInfiniteQuery(notesQuery(phone)).data?.pages[0]?.notes
  if (!notes) return null
  return (
    <PanelSection title={t.notes}>
      {notes.length === 0 && <p className="text-sm text-soft">{t.noNotes}</p>}
      <ul className="flex flex-col gap-3 text-sm">
        {notes.slice(0, LIMITS.notes).map((note) => (
          <li key={note.id}>
            <NoteText note={note} />
          </li>
        ))}
      </ul>
    </PanelSection>
  )
}
