import { z } from 'zod'

import { publishToCompany } from '../../live.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Queryable, Tx } from '../../platform/db/database.ts'
import { fail, fieldError, notFound } from '../../platform/errors.ts'
import type { Actor } from '../../platform/http/route.ts'
import { Id } from '../../platform/ids.ts'
import { enqueue, jobKind } from '../../platform/jobs/job.ts'
import { GivenTime, TIME_CHARACTERS_MAX, Timestamp } from '../../platform/schemas.ts'
import {
  doNotDisturbChanged,
  type EmployeeRow,
  isReachable,
  presentEmployee,
  withQueue,
} from '../queue/index.ts'
import {
  clearExpiredDoNotDisturb,
  selectCompanyOf,
  selectEmployee,
  selectEmployeeForUpdate,
  selectEmployeesAmong,
  selectStepsRinging,
  updateDoNotDisturb,
} from './queries.ts'
import type { Employee } from './schemas.ts'

export const DoNotDisturb = z
  .object({
    enabled: z.boolean(),
    activated_at: Timestamp.nullable(),
    expires_at: Timestamp.nullable(),
    at_risk_main_numbers: z.array(z.object({ id: Id('num'), name: z.string() })).meta({
      description: 'Numbers with a step that rings this employee and nobody else who could answer.',
    }),
  })
  .meta({ id: 'DoNotDisturb' })
export type DoNotDisturb = z.output<typeof DoNotDisturb>

const A_DATE = /^\d{4}-\d\d-\d\d$/

/**
 * A date alone is the time at which that day begins, in UTC. An offset can move a time in the year 9999 into the year
 * 10000, which a timestamp of the API cannot express.
 */
const Expiry = z
  .preprocess(
    (given) => (typeof given === 'string' && A_DATE.test(given) ? `${given}T00:00` : given),
    GivenTime,
  )
  .transform((text) => new Date(text))
  .refine((time) => time.getUTCFullYear() <= 9999)
  .nullish()
type Given = { enabled: unknown; expires_at?: unknown }

/** The expiry is not even validated unless `enabled` is true. */
export const DoNotDisturbUpdate = z
  .object({
    enabled: z.boolean().meta({ description: 'True to take no calls.' }),
    expires_at: z
      .unknown()
      .optional()
      .meta({
        type: ['string', 'null'],
        format: 'date-time',
        maxLength: TIME_CHARACTERS_MAX,
        description: 'When it ends by itself.',
      }),
  })
  .refine(({ enabled, expires_at }: Given) => enabled === false || Expiry.safeParse(expires_at).success, {
    path: ['expires_at'],
    error: 'must be a time, such as 2026-12-31T12:00:00Z',
    // Also if `enabled` is invalid, so that both errors are reported together.
    when: ({ value }) => typeof value === 'object' && value !== null,
  })
  .transform(({ enabled, expires_at }) => ({
    enabled,
    expires_at: enabled ? (Expiry.parse(expires_at) ?? null) : null,
  }))
export type DoNotDisturbUpdate = z.output<typeof DoNotDisturbUpdate>

/** Switches do-not-disturb off when it expires. */
export const endDoNotDisturb = jobKind('employees.end_do_not_disturb', z.object({ employeeId: z.uuid() }))

export async function readDoNotDisturb(sql: Queryable, actor: Actor, id: string): Promise<DoNotDisturb> {
  const row = (await selectEmployee(sql, actor.companyId, id)) ?? fail(notFound())
  return {
    enabled: row.do_not_disturb_activated_at !== null,
    activated_at: row.do_not_disturb_activated_at,
    expires_at: row.do_not_disturb_expires_at,
    at_risk_main_numbers: await numbersAtRisk(sql, actor.companyId, id),
  }
}

/** The call flows that ring the employee do not change; they skip the employee. */
export async function setDoNotDisturb(
  tx: Tx,
  clock: Clock,
  actor: Actor,
  id: string,
  { enabled, expires_at }: DoNotDisturbUpdate,
): Promise<Employee> {
  if (expires_at && expires_at <= clock.now()) throw fieldError('expires_at', 'must be in the future')
  return withQueue(tx, actor.companyId, async (queue) => {
    const before = (await selectEmployeeForUpdate(queue, actor.companyId, id)) ?? fail(notFound())
    const activatedAt = enabled ? (before.do_not_disturb_activated_at ?? clock.now()) : null
    const row = (await updateDoNotDisturb(queue, actor.companyId, id, {
      activatedAt,
      expiresAt: expires_at,
    }))!
    if (expires_at) await enqueue(queue, endDoNotDisturb, { employeeId: id }, { runAt: expires_at })
    if (isOn(before) === enabled) {
      if (Number(before.do_not_disturb_expires_at) !== Number(expires_at))
        await publishToCompany(queue, actor.companyId, { type: 'presence_update', employee_id: id })
      return presentEmployee(row)
    }
    return presentEmployee(await doNotDisturbChanged(queue, actor.companyId, { employeeId: id, enabled }))
  })
}

/** An expired row has no effect anyway; this clears it and publishes the change. */
export async function switchOffExpiredDoNotDisturb(tx: Tx, employeeId: string): Promise<void> {
  const companyId = await selectCompanyOf(tx, employeeId)
  if (companyId === undefined) return
  await withQueue(tx, companyId, async (queue) => {
    if (await clearExpiredDoNotDisturb(queue, employeeId))
      await doNotDisturbChanged(queue, companyId, { employeeId, enabled: false })
  })
}

const isOn = (row: EmployeeRow) => row.do_not_disturb_activated_at !== null

/** Numbers with a step that rings the employee and no coworker who could answer: a coworker of another is no cover. */
async function numbersAtRisk(sql: Queryable, companyId: string, id: string) {
  const steps = await selectStepsRinging(sql, companyId, id)
  const coworkers = [...new Set(steps.flatMap((step) => step.employee_ids))].filter((each) => each !== id)
  const reachable = (await selectEmployeesAmong(sql, companyId, coworkers)).filter(isReachable)
  const cover = new Set(reachable.map((coworker) => coworker.id))
  const uncovered = steps.filter((step) => !step.employee_ids.some((each) => cover.has(each)))
  return [...new Map(uncovered.map(({ id, name }) => [id, { id, name }])).values()]
}
