import { countOverdueDeliveries } from '../../../modules/webhooks/index.ts'
import { readMigrationState } from '../../../platform/db/migrate.ts'
import { countStuckJobs, newestApplied } from '../../../platform/jobs/queries.ts'
import type { Check } from '../check.ts'
import { amount, type Finding, ok, problem, warning } from '../finding.ts'
import type { RunningProcess } from '../inspection.ts'
import { DOCTOR_LIMITS } from '../limits.ts'

/** Jobs and webhook deliveries are done when they are due. */
export const queues: Check = {
  name: 'queues',
  async run({ database, processes = [] }) {
    if (!database.isOpen) return []
    const { sql } = database
    // Before the first migration there is nothing to wait for.
    if ((await newestApplied(sql)) === null || (await readMigrationState(sql)).pending.length > 0) return []
    const { waiting, failed } = await countStuckJobs(sql, DOCTOR_LIMITS.stuckSeconds)
    const overdue = await countOverdueDeliveries(sql, DOCTOR_LIMITS.stuckSeconds)
    const findings = [
      ...withoutWorker(processes),
      ...(waiting + overdue > 0 ? [stuck(waiting, overdue)] : []),
      ...(failed > 0 ? [failedForGood(failed)] : []),
    ]
    return findings.length > 0 ? findings : [ok('No job and no webhook delivery is overdue.')]
  },
}

/** If nothing runs at all, Bellhop is stopped, which is not a fault. */
function withoutWorker(processes: RunningProcess[]): Finding[] {
  if (processes.length === 0 || processes.some(({ role }) => role === 'worker')) return []
  return [
    problem(
      'No worker runs: e-mails and webhooks are not sent, and recordings are not transcribed.',
      'Start `bellhop worker`.',
    ),
  ]
}

const stuck = (jobs: number, deliveries: number) => {
  const what = [
    jobs > 0 && amount(jobs, 'job'),
    deliveries > 0 && amount(deliveries, 'webhook delivery', 'webhook deliveries'),
  ]
  return problem(
    `Overdue by more than ${DOCTOR_LIMITS.stuckSeconds / 60} minutes: ${what.filter((each) => !!each).join(' and ')}.`,
    'Check that a worker runs, and what its log says.',
  )
}

const failedForGood = (jobs: number) =>
  warning(
    `${amount(jobs, 'job')} failed within a day, for the last time.`,
    'The log of the worker says why; so does the column last_error of graphile_worker.jobs.',
  )
