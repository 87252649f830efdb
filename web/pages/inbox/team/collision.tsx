import { useQuery } from '@tanstack/react-query'
import { PencilLine, TriangleAlert } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'

import type { ActivityItem } from '../../../api/inbox.ts'
import { type ThreadTeam, threadTeamQuery } from '../../../api/team-inbox.ts'
import { useDates } from '../../../i18n/dates.ts'
import { useTexts } from '../../../i18n/language.tsx'
import { teamTexts } from '../../../i18n/team-inbox.ts'
import { useDraft } from '../../../outbox/drafts.ts'

/** A reply this young may not have been seen by somebody who is writing one. */
const LIMITS = { justMs: 2 * 60_000 }

interface CollisionProps {
  phone: string
  employeeId: string
  items: ActivityItem[]
}

/** What coworkers do in the thread at the moment: a warning, if one's own text would collide with it. */
export function Collision({ phone, employeeId, items }: CollisionProps) {
  const t = useTexts(teamTexts)
  const dates = useDates()
  const hasDraft = useDraft(employeeId, phone).text.trim() !== ''
  const writers = useWriters(phone).filter(({ employee }) => employee.id !== employeeId)
  const reply = useReplyBy(employeeId, items, hasDraft)
  const talking = items.find((item) => item.type === 'call' && item.state !== 'ended' && item.employee)
  const talker = talking?.type === 'call' && talking.employee?.id !== employeeId ? talking.employee : null
  const names = writers.map(({ employee }) => employee.name).join(t.and)
  const warnings = [
    hasDraft && names !== '' && t.alsoWriting(names),
    reply && t.justReplied(reply.name, dates.time(reply.at)),
    hasDraft && talker && t.onThePhone(talker.name),
  ].filter((text) => typeof text === 'string')
  return (
    // Always there, so that screen readers tell what appears in it.
    <div role="status">
      {warnings.map((text) => (
        <p
          key={text}
          className="mb-2 flex items-center gap-2 rounded-lg bg-warn-ground px-3 py-1.5 text-sm text-warn"
        >
          <TriangleAlert size={15} aria-hidden="true" className="shrink-0" /> {text}
        </p>
      ))}
      {!hasDraft && names !== '' && (
        <p className="mb-2 flex items-center gap-2 text-sm text-soft">
          <PencilLine size={15} aria-hidden="true" className="shrink-0" />
          {(writers.length === 1 ? t.isWriting : t.areWriting)(names)}
        </p>
      )}
    </div>
  )
}

/** Who is writing, until they stop or have not typed for a while. */
function useWriters(phone: string): ThreadTeam['writing'] {
  const writing = useQuery(threadTeamQuery(phone)).data?.writing
  const [now, setNow] = useState(Date.now)
  const current = (writing ?? []).filter(({ until }) => Date.parse(until) > now)
  const ends = Math.min(...current.map(({ until }) => Date.parse(until)))
  useEffect(() => {
    setNow(Date.now())
  }, [writing])
  useEffect(() => {
    if (!Number.isFinite(ends)) return undefined
    const timer = setTimeout(() => setNow(Date.now()), Math.max(0, ends - Date.now()) + 50)
    return () => clearTimeout(timer)
  }, [ends])
  return current
}

/** A coworker's text that was sent while the reader was writing theirs, or shortly before. */
function useReplyBy(employeeId: string, items: ActivityItem[], hasDraft: boolean) {
  const since = useRef<number>(undefined)
  if (!hasDraft) since.current = undefined
  else since.current ??= Date.now() - LIMITS.justMs
  const newest = items.find((item) => item.direction === 'outbound')
  if (since.current === undefined || newest?.type !== 'message') return undefined
  const { author, created_at: at } = newest
  const isCoworker = author.type === 'employee' && author.id !== employeeId && author.name !== undefined
  return isCoworker && Date.parse(at) > since.current ? { name: author.name!, at } : undefined
}
