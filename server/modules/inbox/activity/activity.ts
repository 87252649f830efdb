import type { Vault } from '../../../platform/crypto/crypto.ts'
import type { Cursors } from '../../../platform/crypto/cursors.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Actor } from '../../../platform/http/route.ts'
import { presentWrapUp } from '../../calls/index.ts'
import type { FileLinks } from '../../files/index.ts'
import { type Message, readMessages } from '../../messages/index.ts'
import { phoneOf, viewOf } from '../open-view.ts'
import { selectContactReference } from '../queries.ts'
import type { ActivityFilter, ActivityItem, ActivityPage } from '../schemas.ts'
import { type ItemRow, observeThread, selectItems } from './activity-queries.ts'

interface ActivityParts {
  db: Database
  links: FileLinks
  /** Encrypts texts. */
  texts: Vault
  cursors: Cursors
}

/** All activity between the company and a number, newest first, as of the first page. */
export async function readActivity(
  { db: { sql }, links, texts, cursors }: ActivityParts,
  actor: Actor,
  phoneText: string,
  filter: ActivityFilter,
): Promise<ActivityPage> {
  const view = await viewOf(sql, actor.companyId, filter.business_number_id)
  const phone = await phoneOf(sql, view, phoneText)
  const list = ['activity', view.companyId, view.numberId ?? null, phone]
  const [observed, before] = filter.cursor === undefined ? [] : cursors.read(list, filter.cursor)
  const observedAt = observed ?? (await observeThread(sql, view.companyId, phone))
  const rows = await selectItems(sql, view, { phone, observedAt, before }, filter.limit + 1)
  const page = rows.slice(0, filter.limit)
  const written = page.filter((row) => row.type === 'message').map((row) => row.id)
  const messages = await readMessages({ sql, texts }, view.companyId, written)
  const last = page.at(-1)
  return {
    phone_number: phone,
    contact: (await selectContactReference(sql, view.companyId, phone)) ?? null,
    items: page.flatMap((row) => present(row, phone, messages, links)),
    next_cursor:
      last && rows.length > filter.limit ? cursors.make(list, [observedAt, last.arrived_at]) : null,
    observed_at: observedAt,
  }
}

function present(
  row: ItemRow,
  phone: string,
  messages: Map<string, Message>,
  links: FileLinks,
): ActivityItem[] {
  const { id, created_at, business_number_id, business_number_name, seen_at, duration } = row
  const common = { id, created_at, business_number_id, business_number_name, seen_at, duration }
  const [from, to] = row.incoming ? [phone, row.number] : [row.number, phone]
  switch (row.type) {
    case 'call': {
      const direction = row.incoming ? 'inbound' : 'outbound'
      const { state, missed, summary, employee, has_transcription } = row
      return [
        {
          ...common,
          type: 'call',
          direction,
          from,
          to,
          state,
          missed,
          summary,
          employee,
          has_transcription,
          wrap_up: presentWrapUp(row),
        },
      ]
    }
    case 'voicemail': {
      const { transcription, listened, call_id, recording_key } = row
      const recording_url = recording_key && links.to(recording_key)
      return [
        {
          ...common,
          type: 'voicemail',
          direction: 'inbound',
          from,
          transcription,
          recording_url,
          listened,
          call_id,
        },
      ]
    }
    case 'message': {
      const message = messages.get(id)
      return message ? [{ ...message, created_at: row.arrived_at, duration: null }] : []
    }
  }
}
