import type { Command } from 'commander'

import { type Config, loadConfig } from '../../server/config.ts'
import { systemClock, withTimeout } from '../../server/platform/clock.ts'
import { OperatorError } from '../../server/platform/errors.ts'
import { createLog } from '../../server/platform/log.ts'
import { print } from '../operator-command.ts'
import type { Check } from './check.ts'
import { CHECKS } from './checks/index.ts'
import { problem, reasonOf } from './finding.ts'
import { type Inspection, openInspection } from './inspection.ts'
import { DOCTOR_LIMITS } from './limits.ts'
import { report, type Reported, statusOf } from './report.ts'

/** Looks at the whole installation and says what is wrong. Ends the process, with 1 if there is a problem. */
export async function examine(command: Command, { only }: { only?: string[] }): Promise<void> {
  const findings = await examineInstallation(chooseChecks(only))
  print(command, report(findings))
  // A check that was given up may still hold a socket open.
  process.exit(statusOf(findings) === 'problem' ? 1 : 0)
}

async function examineInstallation(checks: Check[]): Promise<Reported[]> {
  const settings = readSettings()
  if ('finding' in settings) return [settings.finding]
  // What an engine or a socket logs is in the findings, in words for the operator.
  const inspection = await openInspection(settings.config, createLog({ level: 'silent' }))
  try {
    return (await Promise.all(checks.map((check) => runCheck(check, inspection)))).flat()
  } finally {
    await inspection.close()
  }
}

function readSettings(): { config: Config } | { finding: Reported } {
  try {
    return { config: loadConfig() }
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    const action = 'Correct it in the environment or in .env; .env.example explains every setting.'
    return { finding: { check: 'settings', ...problem(error.message, action) } }
  }
}

async function runCheck({ name, deadlineMs, run }: Check, inspection: Inspection): Promise<Reported[]> {
  const limitMs = deadlineMs ?? DOCTOR_LIMITS.checkMs
  const named = (finding: Omit<Reported, 'check'>) => ({ check: name, ...finding })
  try {
    const ran = await withTimeout(systemClock, limitMs, run(inspection))
    if (ran.ok) return ran.value.map(named)
    const message = `The check did not end within ${limitMs / 1000} seconds.`
    return [named(problem(message, 'Find out what does not respond, and run this again.'))]
  } catch (error) {
    const message = `The check failed (${reasonOf(error)}).`
    return [named(problem(message, 'This is unexpected; please report it.'))]
  }
}

function chooseChecks(only: string[] | undefined): Check[] {
  if (!only) return CHECKS
  const names = CHECKS.map(({ name }) => name)
  const unknown = only.find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new OperatorError(
      `There is no check ${JSON.stringify(unknown)}; the checks are ${names.join(', ')}.`,
    )
  return CHECKS.filter(({ name }) => only.includes(name))
}
