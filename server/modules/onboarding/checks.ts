import type { Clock } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/db/database.ts'
import type { Actor } from '../../platform/http/route.ts'
import { isOperator } from '../employees/index.ts'
import { ONBOARDING_LIMITS } from './limits.ts'
import {
  type CheckFinding,
  FIRST_CALL_CHECKS,
  type FirstCallCheck,
  type OnboardingChecks,
} from './schemas.ts'

/** Makes the checks of `bellhop doctor` on which a first call depends. */
export type CheckInstallation = (
  checks: readonly FirstCallCheck[],
) => Promise<Record<FirstCallCheck, CheckFinding[]>>

interface Checked {
  at: Date
  findings: Promise<Record<FirstCallCheck, CheckFinding[]>>
}

export interface KeptChecks {
  /** Those of the last time, unless they are older than this. */
  noOlderThan(ms: number): Checked
}

/** One result for everybody who asks: the checks are about the installation, and cost more than a page may. */
export function keepChecks(clock: Clock, check: CheckInstallation): KeptChecks {
  let kept: Checked | undefined
  return {
    noOlderThan(ms) {
      const now = clock.now()
      if (kept && now.getTime() - kept.at.getTime() < ms) return kept
      const made: Checked = { at: now, findings: check(FIRST_CALL_CHECKS) }
      made.findings.catch(() => {
        if (kept === made) kept = undefined
      })
      return (kept = made)
    },
  }
}

/** Sentences name hosts and folders of the installation, so only operators read them. */
export async function readChecks(
  sql: Queryable,
  checks: KeptChecks,
  { companyId, employeeId }: Actor,
  { again }: { again: boolean },
): Promise<OnboardingChecks> {
  const { checksAgainMs, checksFreshMs } = ONBOARDING_LIMITS
  const { at, findings } = checks.noOlderThan(again ? checksAgainMs : checksFreshMs)
  const [found, mayRead] = await Promise.all([findings, isOperator(sql, companyId, employeeId)])
  return {
    checked_at: at,
    checks: FIRST_CALL_CHECKS.map((check) => ({
      check,
      status: worstOf(found[check]),
      findings: mayRead ? found[check] : null,
    })),
  }
}

function worstOf(findings: CheckFinding[]): CheckFinding['status'] {
  const found = new Set(findings.map(({ status }) => status))
  return found.has('problem') ? 'problem' : found.has('warning') ? 'warning' : 'ok'
}
