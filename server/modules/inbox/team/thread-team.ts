import { z } from 'zod'

import { publishToCompany } from '../../../live.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import { fieldError, notFound } from '../../../platform/errors.ts'
import type { Actor } from '../../../platform/http/route.ts'
import { enqueue, handleJob, type JobHandler, jobKind } from '../../../platform/jobs/job.ts'
import { keepEmployees } from '../../employees/index.ts'
import { INBOX_LIMITS } from '../limits.ts'
import { phoneOf, viewOf } from '../open-view.ts'
import { lockThreads } from '../seen/seen-queries.ts'
import type { View } from '../view.ts'
import type { Assignment, ThreadStateChange, ThreadTeam, Writing } from './schemas.ts'
import {
  deleteThreadWriter,
  endThreadSnooze,
  selectIsThread,
  selectThreadTeam,
  STANDING,
  stateOf,
  updateThreadAssignee,
  updateThreadStanding,
  upsertThreadWriter,
} from './team-queries.ts'

const DAY_MS = 24 * 60 * 60_000

/** Brings a thread back when its snooze ends. */
const endSnooze = jobKind('inbox.end_snooze', z.object({ companyId: z.uuid(), phone: z.string() }))

/** What the team has to do with a thread. */
export async function readThreadTeam(db: Database, actor: Actor, phoneText: string): Promise<ThreadTeam> {
  const { view, phone } = await threadOf(db, actor, phoneText)
  return present(db, view, actor, phone)
}

/** For the whole team. Whatever comes in afterwards reopens the thread, by the triggers that show it. */
export async function setThreadState(
  db: Database,
  clock: Clock,
  actor: Actor,
  phoneText: string,
  { state, until, through }: ThreadStateChange,
): Promise<ThreadTeam> {
  const { view, phone } = await threadOf(db, actor, phoneText)
  const snoozedUntil = state === 'snoozed' ? until : undefined
  if (snoozedUntil) requireSoon(snoozedUntil, clock.now())
  await db.tx(async (tx) => {
    await holdThread(tx, view, phone)
    const change = { standing: STANDING[state], employeeId: actor.employeeId, until: snoozedUntil, through }
    await updateThreadStanding(tx, view, phone, change)
    if (snoozedUntil)
      await enqueue(tx, endSnooze, { companyId: view.companyId, phone }, { runAt: snoozedUntil })
    await publish(tx, view.companyId, phone)
  })
  return present(db, view, actor, phone)
}

/** Everybody who sees the inbox may assign: to themselves, to a coworker, or to nobody. */
export async function assignThread(
  db: Database,
  actor: Actor,
  phoneText: string,
  { employee_id }: Assignment,
): Promise<ThreadTeam> {
  const { view, phone } = await threadOf(db, actor, phoneText)
  await db.tx(async (tx) => {
    // Locked before the thread, as by the deletion of the employee.
    if (employee_id !== null && (await keepEmployees(tx, view.companyId, [employee_id])).length === 0)
      throw fieldError('employee_id', 'is not an employee of the company')
    await holdThread(tx, view, phone)
    await updateThreadAssignee(tx, view.companyId, phone, employee_id)
    await publish(tx, view.companyId, phone)
  })
  return present(db, view, actor, phone)
}

/** Coworkers see who is writing, but not what: a draft is only in the writer's browser. */
export async function setWriting(
  db: Database,
  actor: Actor,
  phoneText: string,
  { writing }: Writing,
): Promise<void> {
  const { companyId, employeeId } = actor
  const { phone } = await threadOf(db, actor, phoneText)
  await db.tx(async (tx) => {
    if (writing) await upsertThreadWriter(tx, companyId, phone, employeeId)
    else if (!(await deleteThreadWriter(tx, companyId, phone, employeeId))) return
    await publishToCompany(tx, companyId, { type: 'writing_update', phone_number: phone })
  })
}

export const inboxJobs = ({ db }: { db: Database }): JobHandler[] => [
  handleJob(endSnooze, ({ companyId, phone }) =>
    db.tx(async (tx) => {
      await lockThreads(tx, companyId, [phone])
      if (await endThreadSnooze(tx, companyId, phone)) await publish(tx, companyId, phone)
    }),
  ),
]

async function threadOf({ sql }: Database, { companyId }: Actor, phoneText: string) {
  const view = await viewOf(sql, companyId, undefined)
  return { view, phone: await phoneOf(sql, view, phoneText) }
}

async function holdThread(tx: Tx, { companyId }: View, phone: string): Promise<void> {
  await lockThreads(tx, companyId, [phone])
  if (!(await selectIsThread(tx, companyId, phone))) throw notFound()
}

async function present({ sql }: Database, view: View, actor: Actor, phone: string): Promise<ThreadTeam> {
  const row = (await selectThreadTeam(sql, view, phone, actor.employeeId))!
  const state = stateOf(row.standing)
  const isClosed = state !== 'open'
  return {
    phone_number: phone,
    state,
    is_back: row.standing === STANDING.back,
    snoozed_until: state === 'snoozed' ? row.snoozed_until : null,
    assignee: row.assignee,
    mentions_me: row.mentions_me,
    closed_by: isClosed ? row.closed_by : null,
    closed_at: isClosed ? row.closed_at : null,
    writing: (row.writing ?? []).map(({ employee, until }) => ({ employee, until: new Date(until) })),
  }
}

function requireSoon(until: Date, now: Date): void {
  if (until <= now) throw fieldError('until', 'must be in the future')
  if (until.getTime() > now.getTime() + INBOX_LIMITS.snoozeDays * DAY_MS)
    throw fieldError('until', 'must be within a year')
}

const publish = (tx: Tx, companyId: string, phone: string) =>
  publishToCompany(tx, companyId, { type: 'thread_update', phone_number: phone })
