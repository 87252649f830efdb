import { z } from 'zod'

import { inTurn } from '../async/in-turn.ts'
import type { Sql } from '../db/database.ts'
import { PLATFORM_LIMITS } from '../limits.ts'
import {
  addLostTurns,
  addTurn,
  claimCompanyJob,
  type CompanyJob,
  deleteCompanyJob,
  NEXT_COMPANY_JOB,
  postponeCompanyJob,
} from './company-job-queries.ts'
import { handleJob, type JobHandler, jobKind } from './job.ts'

const BEFORE_ALL_COMPANIES = '00000000-0000-0000-0000-000000000000'

/**
 * Runs company jobs. The library runs jobs in the order in which they were added, so that a company with very many
 * would make all others wait. So its jobs are only turns: each runs one job of the company that is next.
 */
export function companyJobHandlers(sql: Sql, handlers: JobHandler[]): JobHandler[] {
  const { companyJobTriesMax: triesMax, urgentJobSeconds: leaseSeconds } = PLATFORM_LIMITS
  const byKind = new Map(
    handlers.filter(({ ofCompany }) => ofCompany).map((handler) => [handler.name, handler]),
  )
  const running = new Map<string, number>()
  let servedLast = BEFORE_ALL_COMPANIES
  /** Turns that were not taken, because companies had enough running. */
  let postponedTurns = 0

  const busyCompanies = () =>
    [...running].filter(([, count]) => count >= PLATFORM_LIMITS.companyJobsAtOnce).map(([company]) => company)

  /** What is claimed counts as running before the next is: slots that look at the same moment would take too many. */
  const oneAtATime = inTurn()

  /** Undefined if only companies that have enough running have something waiting. */
  async function claimNext(): Promise<CompanyJob | undefined> {
    for (;;) {
      const terms = { except: busyCompanies(), leaseSeconds, triesMax }
      const job =
        (await claimCompanyJob(sql, { ...terms, after: servedLast })) ??
        (await claimCompanyJob(sql, { ...terms, after: BEFORE_ALL_COMPANIES }))
      if (job) {
        servedLast = job.companyId
        countRunning(job, 1)
      }
      if (job || terms.except.length === 0) return job
      // Jobs of theirs may have ended meanwhile.
      const busy = busyCompanies()
      if (terms.except.every((company) => busy.includes(company))) {
        postponedTurns++
        return undefined
      }
    }
  }

  function countRunning({ companyId }: CompanyJob, change: 1 | -1): void {
    const count = (running.get(companyId) ?? 0) + change
    if (count > 0) running.set(companyId, count)
    else running.delete(companyId)
  }

  async function takeTurn(): Promise<void> {
    const job = await oneAtATime('claim', claimNext)
    if (!job) return
    try {
      await runJob(job)
    } finally {
      countRunning(job, -1)
      if (postponedTurns > 0) {
        postponedTurns--
        await addTurn(sql)
      }
    }
  }

  async function runJob(job: CompanyJob): Promise<void> {
    const handler = byKind.get(job.kind)
    try {
      if (!handler) throw new Error(`nothing handles jobs of the kind ${job.kind}`)
      await handler.run(job.payload)
    } catch (error) {
      // As the library does, which repeats this turn then.
      await postponeCompanyJob(sql, job, Math.exp(Math.min(job.tries, 10)))
      throw error
    }
    await deleteCompanyJob(sql, job)
  }

  const rescue = () =>
    addLostTurns(sql, { seconds: leaseSeconds, triesMax, limit: PLATFORM_LIMITS.companyJobsRescued })
  return [
    handleJob(jobKind(NEXT_COMPANY_JOB, z.object({})), takeTurn, { urgent: true }),
    handleJob(jobKind('jobs.rescue_of_companies', z.object({})), rescue, {
      schedule: 'every_minute',
      urgent: true,
    }),
  ]
}
