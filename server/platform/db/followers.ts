import type { Client } from 'pg'

import type { IdPrefix } from '../ids.ts'
import type { Fragment, Queryable } from './database.ts'

/**
 * A process that follows a topic holds a shared advisory lock. A transaction that changes something tries to take the
 * lock exclusively. If it cannot, there are followers, or another transaction changes something at the same time: it
 * notifies. If it can, nobody begins to follow until it has committed, and whoever does so afterwards reads the change.
 * So no change is missed, and PostgreSQL releases the locks of a process that dies.
 */
const LOCK_CLASS = 7_205_593
/** Topics share this many locks, a power of two: PostgreSQL has room for a few thousand. */
const SLOTS = 1_024
/** Held by every process that follows in this way. */
const FOLLOWER_SLOT = SLOTS

const slotOf = (sql: Queryable, topic: string) => sql`hashtext(${topic}) & ${SLOTS - 1}`

/** As a part of a statement of the transaction that changes something. */
const isFollowed = (sql: Queryable, topic: string) =>
  sql`not pg_try_advisory_xact_lock(${LOCK_CLASS}, ${slotOf(sql, topic)})`

/** An id that only the statement knows. */
export interface StoredId {
  prefix: IdPrefix
  uuid: Fragment
}

/** Notifies them too: a value of no meaning. The text has an id in its middle, if it is given. */
export const notifyFollowers = (
  sql: Queryable,
  topic: string,
  channel: string,
  [before, id, after]: [before: string, id: StoredId | undefined, after: string],
) => {
  const written = id ? sql`type_id(${id.prefix}, ${id.uuid})` : sql`''`
  return sql`
    case when ${isFollowed(sql, topic)} then pg_notify(${channel}, concat(${before}::text, ${written}, ${after}::text))::text end`
}

/** Delivered when the transaction commits, if the topic has followers. */
export async function publishToFollowers(
  tx: Queryable,
  topic: string,
  channel: string,
  texts: string[],
): Promise<void> {
  await tx`
    select pg_notify(${channel}, text) from unnest(${texts}::text[]) as text where ${isFollowed(tx, topic)}`
}

const LOCK_NOT_AVAILABLE = '55P03'

/** On the connection that listens. Its `lock_timeout` bounds how long notifications wait behind this. */
export async function follow(client: Client, topic: string): Promise<void> {
  for (;;) {
    try {
      await client.query('select pg_advisory_lock_shared($1, hashtext($2) & $3)', slotValues(topic))
      return
    } catch (error) {
      // A transaction that changes something takes longer.
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error
    }
  }
}

export async function unfollow(client: Client, topic: string): Promise<void> {
  await client.query('select pg_advisory_unlock_shared($1, hashtext($2) & $3)', slotValues(topic))
}

const slotValues = (topic: string) => [LOCK_CLASS, topic, SLOTS - 1]

/** Before the connection gets its label: a process that has a label, and not this lock, is of an earlier release. */
export async function announceFollower(client: Client, label: string): Promise<void> {
  await client.query('select pg_advisory_lock_shared($1, $2)', [LOCK_CLASS, FOLLOWER_SLOT])
  await client.query("select set_config('application_name', $1, false)", [label])
}

/** Processes of an earlier release listen to everything, and take no locks. */
export async function hasEarlierListeners(client: Client): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from pg_stat_activity
     where datname = current_database() and application_name like 'bellhop % secret=%' and pid not in (
       select pid from pg_locks where locktype = 'advisory' and classid = $1 and objid = $2
     )`,
    [LOCK_CLASS, FOLLOWER_SLOT],
  )
  return rowCount !== 0
}

/** On their behalf. Waits for every transaction that changes something. */
export async function followEverything(client: Client): Promise<void> {
  await client.query('set lock_timeout to 0')
  await client.query('select count(pg_advisory_lock_shared($1, slot)) from generate_series(0, $2) as slot', [
    LOCK_CLASS,
    SLOTS - 1,
  ])
  await client.query('reset lock_timeout')
}

export async function unfollowEverything(client: Client): Promise<void> {
  await client.query(
    'select count(pg_advisory_unlock_shared($1, slot)) from generate_series(0, $2) as slot',
    [LOCK_CLASS, SLOTS - 1],
  )
}
