import type { Vault } from '../../../platform/crypto/crypto.ts'
import type { Cursors } from '../../../platform/crypto/cursors.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Actor } from '../../../platform/http/route.ts'
import { readPreviews } from '../../messages/index.ts'
import { readUnseenMentions } from '../notes/note-queries.ts'
import { viewOf } from '../open-view.ts'
import { findPhones } from '../search/search.ts'
import type { ThreadRow } from '../threads/thread-queries.ts'
import { presentThread, wordsOf } from '../threads/threads.ts'
import type { Shown, TeamFilter, TeamPage, TeamThread } from './schemas.ts'
import {
  type Position,
  selectScanEnd,
  selectTeamThreads,
  STANDING,
  stateOf,
  type TeamColumns,
} from './team-queries.ts'

interface TeamParts {
  db: Database
  /** Encrypts texts. */
  texts: Vault
  cursors: Cursors
}

/** Without an index of their own. */
const FILTERED = new Set<Shown>(['unassigned', 'missed', 'voicemails'])

/** Threads that are back from a snooze first, then by activity, newest first. */
export async function listTeamThreads(
  { db: { sql }, texts, cursors }: TeamParts,
  { companyId, employeeId }: Actor,
  filter: TeamFilter,
): Promise<TeamPage> {
  const view = await viewOf(sql, companyId, filter.business_number_id)
  const { show, query = '', limit } = filter
  const unseen = filter.unseen === 'true'
  const list = ['team', companyId, employeeId, view.numberId ?? null, show, query, unseen]
  const before = filter.cursor === undefined ? undefined : positionOf(cursors.read(list, filter.cursor))
  const mentioning = await readUnseenMentions(sql, companyId, employeeId)
  const match = query === '' ? undefined : await findPhones(sql, view, query)
  const where = { show, employeeId, unseen, before, match, mentioning }
  const rows = await selectTeamThreads(sql, view, where, limit + 1)
  const page = rows.slice(0, limit)
  const written = page.filter((row) => row.type === 'message').map((row) => row.item_id)
  const previews = await readPreviews({ sql, texts }, companyId, written)
  const last =
    rows.length > limit
      ? page.at(-1)
      : unseen || view.numberId !== undefined || FILTERED.has(show)
        ? await selectScanEnd(sql, view, where)
        : undefined
  return {
    threads: page.map((row) => presentTeamThread(row, previews.get(row.item_id), view.withTexts)),
    next_cursor: last ? cursors.make(list, [String(last.rank), last.last_at, last.phone_number]) : null,
    unseen_mentions: mentioning.length,
  }
}

function positionOf([rank, lastAt, phone]: string[]): Position | undefined {
  return rank !== undefined && lastAt !== undefined && phone !== undefined
    ? { rank, lastAt, phone }
    : undefined
}

const presentTeamThread = (
  row: ThreadRow & TeamColumns,
  text: string | undefined,
  canText: boolean,
): TeamThread => ({
  ...presentThread(row, text, canText),
  preview: wordsOf(row, text),
  state: stateOf(row.standing),
  is_back: row.standing === STANDING.back,
  snoozed_until: row.standing === STANDING.snoozed ? row.snoozed_until : null,
  assignee: row.assignee,
  mentions_me: row.mentions_me,
})
