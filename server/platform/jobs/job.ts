import type { z } from 'zod'

import type { Fragment, Tx } from '../db/database.ts'
import { insertCompanyJob } from './company-job-queries.ts'
import { insertingJob, insertJob } from './queries.ts'

/** A kind of job: its name and its payload. */
export interface JobKind<P extends z.ZodType = z.ZodType> {
  name: string
  payload: P
  ofCompany?: false
}

/** Companies take turns with these, however many one of them has. */
export interface CompanyJobKind<P extends CompanyPayload = CompanyPayload> {
  name: string
  payload: P
  ofCompany: true
}

type CompanyPayload = z.ZodType<{ companyId: string }, { companyId: string }>

/** When a job is run without being requested. */
export type Schedule = 'hourly' | 'every_minute'

/** A kind of job with the code that runs it. */
export interface JobHandler {
  name: string
  schedule?: Schedule
  /** Somebody waits for it: it has its own slots, and must be short. */
  urgent?: boolean
  /** Run in the turn of its company. */
  ofCompany?: boolean
  run(payload: unknown): Promise<void>
}

export function jobKind<P extends z.ZodType>(name: string, payload: P): JobKind<P> {
  return { name, payload }
}

/** For work of which one company may have much, and that waits for somebody else's service. */
export function companyJobKind<P extends CompanyPayload>(name: string, payload: P): CompanyJobKind<P> {
  return { name, payload, ofCompany: true }
}

export function handleJob<P extends z.ZodType>(
  kind: JobKind<P>,
  run: (payload: z.output<P>) => Promise<void>,
  when: Pick<JobHandler, 'schedule' | 'urgent'> = {},
): JobHandler {
  return { name: kind.name, ...when, run: async (payload) => run(kind.payload.parse(payload)) }
}

export function handleCompanyJob<P extends CompanyPayload>(
  kind: CompanyJobKind<P>,
  run: (payload: z.output<P>) => Promise<void>,
): JobHandler {
  const { name, payload, ofCompany } = kind
  return { name, ofCompany, urgent: true, run: async (given) => run(payload.parse(given)) }
}

/** Part of the caller's transaction: the job runs if and only if that commits, and not before `runAt`. */
export async function enqueue<P extends z.ZodType>(
  tx: Tx,
  kind: JobKind<P>,
  payload: z.input<P>,
  { runAt = null }: { runAt?: Date | null } = {},
): Promise<void> {
  await insertJob(tx, kind.name, payload, runAt)
}

/** The same, as soon as it is the turn of the company. */
export async function enqueueForCompany<P extends CompanyPayload>(
  tx: Tx,
  kind: CompanyJobKind<P>,
  payload: z.input<P>,
): Promise<void> {
  await insertCompanyJob(tx, kind.name, payload)
}

/** The same as a part of a statement: a value of no meaning. */
export const enqueuing = <P extends z.ZodType>(
  tx: Tx,
  kind: JobKind<P>,
  payload: z.input<P>,
  { runAt = null }: { runAt?: Date | null } = {},
): Fragment => insertingJob(tx, kind.name, payload, runAt)
