import { publishToCompany } from '../../../live.ts'
import type { Database, Queryable } from '../../../platform/db/database.ts'
import { fieldError } from '../../../platform/errors.ts'
import type { Actor } from '../../../platform/http/route.ts'
import { phoneOf, viewOf } from '../open-view.ts'
import { selectUnseenCounts, selectUnseenThreads } from '../queries.ts'
import type { CallsSeen, Seen, UnseenCounts } from '../schemas.ts'
import type { View } from '../view.ts'
import { lockThreads, selectClockMicros, updateSeen } from './seen-queries.ts'

/** Few enough that writers do not wait long. */
const THREADS_AT_ONCE = 200

/** For the whole team; a repetition changes nothing. */
export async function markSeen(
  db: Database,
  actor: Actor,
  phoneText: string,
  { through, business_number_id }: Seen,
): Promise<void> {
  const view = await viewOf(db.sql, actor.companyId, business_number_id)
  const phone = await phoneOf(db.sql, view, phoneText)
  await refuseFuture(db.sql, through)
  await markThreads(db, view, [phone], through)
}

/** Calls and voicemails only; for all callers if no phone number is given. */
export async function markCallsSeen(
  db: Database,
  actor: Actor,
  { phone_number, main_number_id, through }: CallsSeen,
): Promise<void> {
  const view = { ...(await viewOf(db.sql, actor.companyId, main_number_id)), withTexts: false }
  const phone = phone_number === undefined ? undefined : await phoneOf(db.sql, view, phone_number)
  const boundary = await refuseFuture(db.sql, through)
  if (phone !== undefined) return markThreads(db, view, [phone], boundary)
  for (let after: { lastAt: string; phone: string } | undefined; ;) {
    const threads = await selectUnseenThreads(db.sql, view, after, THREADS_AT_ONCE)
    const last = threads.at(-1)
    if (!last) return
    const phones = threads.map((thread) => thread.phone_number)
    await markThreads(db, view, phones, boundary)
    after = { lastAt: last.last_at, phone: last.phone_number }
  }
}

export async function countUnseen(db: Database, actor: Actor): Promise<UnseenCounts> {
  const main_numbers = await selectUnseenCounts(db.sql, await viewOf(db.sql, actor.companyId, undefined))
  return { total: main_numbers.reduce((sum, number) => sum + number.unseen_count, 0), main_numbers }
}

function markThreads(db: Database, view: View, phones: string[], through: string): Promise<void> {
  return db.tx(async (tx) => {
    await lockThreads(tx, view.companyId, phones)
    await updateSeen(tx, view, phones, through)
    await publishToCompany(tx, view.companyId, { type: 'unseen_update' })
  })
}

/** By the clock of the database, which gives items their times. */
async function refuseFuture(sql: Queryable, through: string | undefined): Promise<string> {
  const now = await selectClockMicros(sql)
  if (through !== undefined && through > now) throw fieldError('through', 'must not be in the future')
  return through ?? now
}
