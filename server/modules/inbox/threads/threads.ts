import type { Vault } from '../../../platform/crypto/crypto.ts'
import type { Cursors } from '../../../platform/crypto/cursors.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Actor } from '../../../platform/http/route.ts'
import { isPhoneNumber } from '../../../platform/text/phone.ts'
import { readPreviews } from '../../messages/index.ts'
import { itemLabelOf, previewOf } from '../activity/preview.ts'
import { viewOf } from '../open-view.ts'
import type { ContactReference, LatestItem, Thread, ThreadFilter, ThreadPage } from '../schemas.ts'
import { findPhones } from '../search/search.ts'
import { selectThreads, type ThreadRow } from './thread-queries.ts'

interface ThreadParts {
  db: Database
  /** Encrypts texts. */
  texts: Vault
  cursors: Cursors
}

/** One for each external number, newest activity first. */
export async function listThreads(
  { db: { sql }, texts, cursors }: ThreadParts,
  actor: Actor,
  filter: ThreadFilter,
): Promise<ThreadPage> {
  const view = await viewOf(sql, actor.companyId, filter.business_number_id)
  const unseen = filter.unseen === 'true'
  const query = filter.query ?? ''
  const list = ['inbox', view.companyId, view.numberId ?? null, query, unseen]
  const [lastAt, phone] = filter.cursor === undefined ? [] : cursors.read(list, filter.cursor)
  const before = lastAt !== undefined && phone !== undefined ? { lastAt, phone } : undefined
  const match = query === '' ? undefined : await findPhones(sql, view, query)
  const rows = await selectThreads(sql, view, { unseen, before, match }, filter.limit + 1)
  const page = rows.slice(0, filter.limit)
  const written = page.filter((row) => row.type === 'message').map((row) => row.item_id)
  const previews = await readPreviews({ sql, texts }, view.companyId, written)
  const last = page.at(-1)
  return {
    threads: page.map((row) => presentThread(row, previews.get(row.item_id), view.withTexts)),
    next_cursor:
      last && rows.length > filter.limit ? cursors.make(list, [last.last_at, last.phone_number]) : null,
  }
}

/** What was written or said; empty for a call or a voicemail without words. */
export const wordsOf = (row: ThreadRow, text: string | undefined) => text ?? previewOf(row.words ?? '')

export function presentThread(row: ThreadRow, text: string | undefined, canText: boolean): Thread {
  const missed = row.missed ?? false
  const canReply = row.can_send && canText && isPhoneNumber(row.phone_number)
  return {
    phone_number: row.phone_number,
    contact: contactOf(row),
    last_activity_at: row.last_activity_at,
    unseen_count: row.unseen_count,
    business_number_ids: row.business_number_ids,
    reply_business_number_id: canReply ? row.business_number_id : null,
    preview: wordsOf(row, text) || itemLabelOf(row.type, row.incoming, missed),
    latest_item: latestOf(row, missed),
  }
}

function latestOf(row: ThreadRow, missed: boolean): LatestItem {
  const { item_id: id, type, business_number_id } = row
  const direction = row.incoming ? 'inbound' : 'outbound'
  switch (type) {
    case 'call':
      return { id, type, business_number_id, direction, missed }
    case 'voicemail':
      return { id, type, business_number_id, direction }
    case 'message':
      return { id, type, business_number_id, direction, format: 'sms', status: row.status! }
  }
}

function contactOf(row: ThreadRow): ContactReference | null {
  if (row.contact_id === null) return null
  return {
    id: row.contact_id,
    name: row.contact_name,
    phone: row.contact_phone,
    phone_formatted: row.contact_phone_formatted,
    email: row.contact_email,
    company_name: row.contact_company_name,
    note: row.contact_note,
  }
}
