import type { Sql, Tx } from '../db/database.ts'

export async function insertJob(tx: Tx, name: string, payload: unknown, runAt: Date | null) {
  await tx`select ${insertingJob(tx, name, payload, runAt)}`
}

/** As a part of a statement: a value of no meaning. */
export const insertingJob = (tx: Tx, name: string, payload: unknown, runAt: Date | null) => tx`
  graphile_worker.add_job(${name}, ${tx.json(payload)}::json, run_at => ${runAt}::timestamptz)::text`

/** Gives back what has taken longer. A worker of the library does one job at a time: nothing else is taken from it. */
export async function unlockAbandoned(
  sql: Sql,
  urgent: string[],
  { urgentSeconds, otherSeconds }: { urgentSeconds: number; otherSeconds: number },
) {
  await sql`
    select graphile_worker.force_unlock_workers(array_agg(locked_by)) from graphile_worker.jobs
    where locked_at < now() - make_interval(secs =>
      case when task_identifier = any(${urgent}) then ${urgentSeconds}::int else ${otherSeconds}::int end)
    having count(*) > 0`
}

/** Null when there are no tables yet. */
export async function newestApplied(sql: Sql): Promise<number | null> {
  const [found] = await sql<{ exists: boolean }[]>`
    select to_regclass('graphile_worker.migrations') is not null as exists`
  if (!found?.exists) return null
  const [newest] = await sql<{ id: number | null }[]>`select max(id) as id from graphile_worker.migrations`
  return newest?.id ?? null
}

/** Jobs that should have run this long ago, and jobs that failed for the last time within a day. */
export async function countStuckJobs(sql: Sql, waitingSeconds: number) {
  const [row] = await sql<{ waiting: number; failed: number }[]>`
    select
      count(*) filter (where attempts < max_attempts and locked_at is null
        and run_at < now() - make_interval(secs => ${waitingSeconds}))::int as waiting,
      count(*) filter (where attempts >= max_attempts and updated_at > now() - interval '1 day')::int as failed
    from graphile_worker.jobs`
  return row!
}

/**
 * Notifies workers of jobs that wait although they are due, as the library does of new ones (graphile-worker 0.17.3,
 * 000018.sql), at most so many; and returns when the next one is due, if that is within so many seconds.
 */
export const NOTIFY_OF_DUE_JOBS = `
  select case when due.count > 0
    then pg_notify('jobs:insert', json_build_object('r', random(), 'count', due.count)::text) end,
    (
      select ceil(extract(epoch from min(run_at) - now()) * 1000)::int from graphile_worker._private_jobs
      where is_available and run_at > now() and run_at < now() + make_interval(secs => $2)
    ) as next_ms
  from (
    select count(*) from (
      select from graphile_worker._private_jobs where is_available and run_at <= now() limit $1
    ) as waiting
  ) as due`
