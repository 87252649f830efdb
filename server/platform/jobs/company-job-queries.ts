import type { Queryable, Sql, Tx } from '../db/database.ts'
import { firstRow } from '../db/rows.ts'

/** The job of the library that runs whichever company job is next. There is one for each. */
export const NEXT_COMPANY_JOB = 'jobs.next_of_company'

export interface CompanyJob {
  companyId: string
  id: string
  kind: string
  payload: unknown
  /** Including this one. */
  tries: number
}

export async function insertCompanyJob(tx: Tx, kind: string, payload: { companyId: string }) {
  await tx`
    with job as (
      insert into company_jobs (company_id, kind, payload)
      values (${payload.companyId}, ${kind}, ${tx.json(payload)}::json)
    )
    select ${addingTurn(tx)}`
}

const addingTurn = (tx: Queryable) => tx`graphile_worker.add_job(${NEXT_COMPANY_JOB}, '{}'::json)::text`

interface ClaimTerms {
  /** The company that was served last: the search begins after it. */
  after: string
  /** Companies that have enough running. */
  except: string[]
  /** If the worker dies, the job is due again after this long. */
  leaseSeconds: number
  triesMax: number
}

/** Skips along the index from company to company, however many jobs each of them has waiting. */
export function claimCompanyJob(sql: Sql, { after, except, leaseSeconds, triesMax }: ClaimTerms) {
  return firstRow(sql<CompanyJob[]>`
    with recursive waiting as (
      (select company_id from company_jobs where company_id > ${after} order by company_id limit 1)
      union all
      select next.company_id from waiting cross join lateral (
        select company_id from company_jobs where company_id > waiting.company_id order by company_id limit 1
      ) next
    ),
    next as (
      select job.place from waiting cross join lateral (
        select ctid as place from company_jobs
        where company_id = waiting.company_id and waiting.company_id <> all(${except}::uuid[])
          and due_at <= now() and tries < ${triesMax}
        order by due_at, id limit 1 for update skip locked
      ) job limit 1
    )
    update company_jobs set due_at = now() + make_interval(secs => ${leaseSeconds}), tries = tries + 1
    where ctid = any (array(select place from next))
    returning company_id as "companyId", id, kind, payload, tries`)
}

export async function deleteCompanyJob(sql: Sql, { companyId, id }: CompanyJob) {
  await sql`delete from company_jobs where company_id = ${companyId} and id = ${id}`
}

export async function postponeCompanyJob(sql: Sql, { companyId, id }: CompanyJob, seconds: number) {
  await sql`
    update company_jobs set due_at = now() + make_interval(secs => ${seconds})
    where company_id = ${companyId} and id = ${id}`
}

export async function addTurn(sql: Sql) {
  await sql`select ${addingTurn(sql)}`
}

/** For jobs that wait although they have long been due; at most so many. */
export async function addLostTurns(
  sql: Sql,
  { seconds, triesMax, limit }: { seconds: number; triesMax: number; limit: number },
) {
  await sql`
    select ${addingTurn(sql)} from (
      select from company_jobs
      where due_at < now() - make_interval(secs => ${seconds}) and tries < ${triesMax} limit ${limit}
    ) overdue`
}
