import type { Database, Queryable } from '../../../platform/db/database.ts'
import { fail, notFound } from '../../../platform/errors.ts'
import type { Actor } from '../../../platform/http/route.ts'
import { decodeId } from '../../../platform/ids.ts'
import { StorableText } from '../../../platform/schemas.ts'
import { formatPhone, normalizePhone } from '../../../platform/text/phone.ts'
import { companyCountry } from '../../company/index.ts'
import type { FileLinks } from '../../files/index.ts'
import type { Waveform, Waveforms } from '../../waveforms/index.ts'
import { CALL_STATES, type Call, type CallFilter } from '../schemas.ts'
import { searchCalls, type SearchParts } from '../search/search.ts'
import { presentWrapUp } from '../wrap-up/queries.ts'
import { durationOf } from './duration.ts'
import { type CallRow, type CallsWhere, selectCall, selectCalls, selectNewestCalls } from './queries.ts'

export interface CallParts extends Omit<SearchParts, 'sql'> {
  db: Database
  links: FileLinks
  waveforms: Waveforms
}

export async function readCallWaveform(
  { db, waveforms }: CallParts,
  actor: Actor,
  id: string,
): Promise<Waveform> {
  const call = await selectCall(db.sql, actor.companyId, id)
  return waveforms.read(actor.companyId, call?.recording_key ?? fail(notFound()))
}

export async function readCall(
  { db, links }: Pick<CallParts, 'db' | 'links'>,
  actor: Actor,
  id: string,
): Promise<Call> {
  return presentCall((await selectCall(db.sql, actor.companyId, id)) ?? fail(notFound()), links)
}

/** Newest first, or by relevance if there is a query. */
export async function listCalls(parts: CallParts, actor: Actor, filter: CallFilter): Promise<Call[]> {
  const { db, links, embedder, clock, log } = parts
  const { companyId } = actor
  const { limit } = filter
  const where = await narrow(db.sql, actor, filter)
  const after = filter.after === undefined ? undefined : decodeId('cal', filter.after)
  if (!where || (filter.after !== undefined && !after)) return []
  if (!filter.query) {
    const newest = await selectNewestCalls(db.sql, companyId, where, { limit, olderThan: after })
    return newest.map((row) => presentCall(row, links))
  }
  const found = await searchCalls({ sql: db.sql, embedder, clock, log }, companyId, where, filter.query)
  const rows = await selectCalls(db.sql, companyId, following(found, after).slice(0, limit))
  return rows.map((row) => presentCall(row, links))
}

/** Empty if the cursor's call is no longer among the results. */
function following(found: string[], id: string | undefined): string[] {
  if (id === undefined) return found
  const place = found.indexOf(id)
  return place === -1 ? [] : found.slice(place + 1)
}

/** Undefined if a filter has a value that no call can match. */
async function narrow(sql: Queryable, actor: Actor, filter: CallFilter): Promise<CallsWhere | undefined> {
  const where: CallsWhere = { direction: filter.direction, outcome: filter.outcome }
  if (filter.main_number_id !== undefined) {
    where.numberId = decodeId('num', filter.main_number_id)
    if (!where.numberId) return undefined
  }
  if (filter.phone_number !== undefined) {
    const country = await companyCountry(sql, actor.companyId)
    const name = StorableText.safeParse(filter.phone_number.trim()).data
    where.remoteNumber = normalizePhone(filter.phone_number, country) ?? name
    if (!where.remoteNumber) return undefined
  }
  if (CALL_STATES.some((state) => state === filter.state)) where.state = filter.state
  return where
}

/** `links.to` returns null if no link is wanted. */
export function presentCall(row: CallRow, links: { to(key: string): string | null }): Call {
  const { outcome, note, wrapped_up_by, wrapped_up_at, ...call } = row
  const { ended_at, remote_number, number, recording_key, initiated_by, control_id: _, ...rest } = call
  const inbound = row.direction === 'inbound'
  return {
    ...rest,
    wrap_up: presentWrapUp({ outcome, note, wrapped_up_by, wrapped_up_at }),
    from: inbound ? remote_number : number,
    to: inbound ? number : remote_number,
    duration: durationOf(row.answered_at, ended_at),
    main_number: number,
    main_number_formatted: formatPhone(number),
    recording_url: recording_key && ended_at ? links.to(recording_key) : null,
    ...(!inbound && { initiated_by }),
  }
}
