import type { Command } from 'commander'

import { OperatorError } from '../../server/platform/errors.ts'
import { LIMITS } from '../limits.ts'
import { print } from '../operator-command.ts'
import { costsText, sizingText } from '../size/report.ts'
import { sizeFor } from '../size/sizing.ts'
import { UNIT_COSTS } from '../size/unit-costs.ts'

interface Options {
  companies?: number
  employees: number
  callsPerHour?: number
  callMinutes: number
  recorded: number
  browsers: number
  texts: number
  retention: number
  costs?: boolean
}

/** Calls of an employee in the busiest hour, if nothing else is said. */
const CALLS_PER_EMPLOYEE = 6
const EMPLOYEES_PER_COMPANY = 20

export function addSizeCommand(program: Command): void {
  program
    .command('size')
    .description('say how many machines, and how large, an installation needs')
    .option('--employees <count>', 'people who answer and place calls', wholeOf('--employees'), 50)
    .option(
      '--companies <count>',
      `companies (default: one for ${EMPLOYEES_PER_COMPANY} employees)`,
      wholeOf('--companies'),
    )
    .option(
      '--calls-per-hour <count>',
      `calls in the busiest hour (default: ${CALLS_PER_EMPLOYEE} an employee)`,
      wholeOf('--calls-per-hour'),
    )
    .option('--call-minutes <minutes>', 'the average call', numberOf('--call-minutes', 600), 3)
    .option('--recorded <percent>', 'calls that are recorded and transcribed', numberOf('--recorded', 100), 0)
    .option('--browsers <percent>', 'conversations in a browser', numberOf('--browsers', 100), 50)
    .option('--texts <count>', 'texts in the busiest hour, sent and received', wholeOf('--texts'), 0)
    .option(
      '--retention <days>',
      'how long calls, texts and recordings are kept',
      wholeOf('--retention'),
      365,
    )
    .option('--costs', 'list what each unit of work costs, and what measured it')
    .action((options: Options, command: Command) => {
      if (options.costs) return print(command, { json: { costs: UNIT_COSTS }, text: costsText() })
      const { employees, recorded, browsers, texts: textsPerHour, retention: retentionDays } = options
      const profile = {
        companies: options.companies ?? Math.ceil(employees / EMPLOYEES_PER_COMPANY),
        employees,
        callsPerHour: options.callsPerHour ?? employees * CALLS_PER_EMPLOYEE,
        callMinutes: options.callMinutes,
        recordedShare: recorded / 100,
        browserShare: browsers / 100,
        textsPerHour,
        retentionDays,
      }
      const sizing = sizeFor(profile)
      print(command, { json: { profile, ...sizing }, text: sizingText(sizing) })
    })
}

const wholeOf = (option: string) => (text: string) => {
  const count = Number(text)
  if (!/^\d+$/.test(text) || count > LIMITS.sizedCountMax)
    throw new OperatorError(`${option} must be a whole number from 0 to ${LIMITS.sizedCountMax}.`)
  return count
}

const numberOf = (option: string, most: number) => (text: string) => {
  const number = Number(text)
  if (text.trim() === '' || !(number >= 0 && number <= most))
    throw new OperatorError(`${option} must be a number from 0 to ${most}.`)
  return number
}
