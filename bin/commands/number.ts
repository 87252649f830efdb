import type { Command } from 'commander'

import { requireCompany } from '../../server/modules/company/index.ts'
import {
  addNumber,
  listNumberRows,
  setEmergencyCallerId,
  setRegistration,
  setRetired,
} from '../../server/modules/numbers/index.ts'
import { OperatorError } from '../../server/platform/errors.ts'
import { encodeId } from '../../server/platform/ids.ts'
import { parseIdArgument, runOperatorCommand, withMissingName } from '../operator-command.ts'
import { table } from '../table.ts'

interface AddOptions {
  company: string
  number: string
  name: string
  timezone?: string
  language?: string
  sms: boolean
  waitAudio?: string
  incoming?: unknown
}

interface RegistrationOptions {
  number: string
  status: string
  dueAt?: string
  reason?: string
}

export function addNumberCommands(number: Command): void {
  number
    .command('add')
    .description('add a number to a company; calls ring all its employees unless --incoming says otherwise')
    .requiredOption('--company <id>', 'the company', parseIdArgument('com'))
    .requiredOption('--number <e164>', 'the number, as +4570123456')
    .requiredOption('--name <name>', 'the team or purpose')
    .option('--timezone <zone>', 'an IANA timezone (default: by the country of the number)')
    .option('--language <code>', 'the language of its prompts (default: by the country of the number)')
    .option('--sms', 'it can send and receive texts', false)
    .option('--wait-audio <kind>', 'what waiting callers hear: ringtone or music')
    .option('--incoming <json>', 'the call flow for incoming calls, as in the API', jsonOf('--incoming'))
    .action(({ company, waitAudio, ...rest }: AddOptions, command: Command) =>
      runOperatorCommand(command, async (tx) => {
        const input = { ...rest, wait_audio: waitAudio } as Parameters<typeof addNumber>[2]
        const added = await withMissingName('com', company, addNumber(tx, company, input))
        const id = encodeId('num', added.id)
        return {
          json: { id },
          text: `Added ${rest.number} as "${rest.name}" (${id}), time zone ${added.timezone}, language ${added.language}.`,
        }
      }),
    )

  number
    .command('list')
    .description('list the numbers of a company')
    .requiredOption('--company <id>', 'the company', parseIdArgument('com'))
    .action(({ company }: { company: string }, command: Command) =>
      runOperatorCommand(command, async (tx) => {
        await withMissingName('com', company, requireCompany(tx, company))
        const listed = await listNumberRows(tx, company)
        const numbers = listed.map((row) => ({
          id: encodeId('num', row.id),
          number: row.number,
          name: row.name,
          registration_status: row.registration_status,
          retired: row.retired_at !== null,
          emergency_caller_id: row.emergency_caller_id,
        }))
        const rows = numbers.map(
          ({ id, number, name, registration_status, retired, emergency_caller_id }) => [
            id,
            number,
            name,
            retired ? 'out of service' : '',
            registration_status === 'not_required' ? '' : `registration ${registration_status}`,
            emergency_caller_id === null ? '' : `emergency calls as ${emergency_caller_id}`,
          ],
        )
        return { json: { numbers }, text: table(rows, 'The company has no numbers yet.') }
      }),
    )

  number
    .command('registration')
    .description('set the registration status of a number')
    .requiredOption('--number <id>', 'the number', parseIdArgument('num'))
    .requiredOption('--status <status>', 'not_required, pending, submitted, approved, rejected or failed')
    .option('--due-at <time>', 'when it must be done, as 2026-12-31T12:00:00Z')
    .option('--reason <text>', 'why it was rejected; required for that status')
    .action(({ number: numberId, status, dueAt, reason }: RegistrationOptions, command: Command) =>
      runOperatorCommand(command, async (tx) => {
        const input = { status, due_at: dueAt, reason } as Parameters<typeof setRegistration>[2]
        await withMissingName('num', numberId, setRegistration(tx, numberId, input))
        const id = encodeId('num', numberId)
        return { json: { id, registration_status: status }, text: `The registration of ${id} is ${status}.` }
      }),
    )

  number
    .command('emergency-caller-id')
    .description('set what emergency services see when somebody calls them from a number')
    .requiredOption('--number <id>', 'the number', parseIdArgument('num'))
    .requiredOption('--shown <e164>', 'the number with a registered address, or none for the number itself')
    .action(({ number: numberId, shown }: { number: string; shown: string }, command: Command) =>
      runOperatorCommand(command, async (tx) => {
        const callerId = shown === 'none' ? null : shown
        await withMissingName('num', numberId, setEmergencyCallerId(tx, numberId, { shown: callerId }))
        const id = encodeId('num', numberId)
        return {
          json: { id, emergency_caller_id: callerId },
          text: `Emergency services see ${callerId ?? 'the number itself'} when ${id} calls them.`,
        }
      }),
    )

  addServiceCommand(number, {
    name: 'retire',
    description: 'take a number out of service: no calls, no texts; its history stays',
    retired: true,
    outcome: 'is out of service',
  })
  addServiceCommand(number, {
    name: 'restore',
    description: 'put a number back into service',
    retired: false,
    outcome: 'is in service',
  })
}

function addServiceCommand(
  number: Command,
  {
    name,
    description,
    retired,
    outcome,
  }: Record<'name' | 'description' | 'outcome', string> & { retired: boolean },
): void {
  number
    .command(name)
    .description(description)
    .requiredOption('--number <id>', 'the number', parseIdArgument('num'))
    .action(({ number: numberId }: { number: string }, command: Command) =>
      runOperatorCommand(command, async (tx) => {
        await withMissingName('num', numberId, setRetired(tx, numberId, retired))
        const id = encodeId('num', numberId)
        return { json: { id, retired }, text: `${id} ${outcome}.` }
      }),
    )
}

const jsonOf = (option: string) => (text: string) => {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    throw new OperatorError(`${option} must be valid JSON (${(error as Error).message}).`, { cause: error })
  }
}
