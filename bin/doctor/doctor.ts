import type { Command } from 'commander'

import { type Config, loadConfig } from '../../server/config.ts'
import { OperatorError } from '../../server/platform/errors.ts'
import { createLog } from '../../server/platform/log.ts'
import type { Check } from '../../server/wiring/doctor/check.ts'
import { CHECKS } from '../../server/wiring/doctor/checks/index.ts'
import { problem } from '../../server/wiring/doctor/finding.ts'
import { openInspection } from '../../server/wiring/doctor/inspection.ts'
import { runCheck } from '../../server/wiring/doctor/run-check.ts'
import { print } from '../operator-command.ts'
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
    const found = checks.map(async (check) =>
      (await runCheck(check, inspection)).map((finding): Reported =>
        Object.assign({ check: check.name }, finding),
      ),
    )
    return (await Promise.all(found)).flat()
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
