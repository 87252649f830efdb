import { systemClock, withTimeout } from '../../platform/clock.ts'
import type { Check } from './check.ts'
import { type Finding, problem, errorReason } from './finding.ts'
import { DOCTOR_LIMITS } from './limits.ts'

/** What the check found; one that fails, or takes too long, is a finding too. */
export async function runCheck<Seen>(check: Check<Seen>, seen: Seen): Promise<Finding[]> {
  const limitMs = check.deadlineMs ?? DOCTOR_LIMITS.checkMs
  try {
    const ran = await withTimeout(systemClock, limitMs, check.run(seen))
    if (ran.ok) return ran.value
    const message = `The check did not end within ${limitMs / 1000} seconds.`
    return [problem(message, 'Find out what does not respond, and run this again.')]
  } catch (error) {
    const message = `The check failed (${errorReason(error)}).`
    return [problem(message, 'This is unexpected; please report it.')]
  }
}
