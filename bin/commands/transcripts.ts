import type { Command } from 'commander'

import { requireCompany } from '../../server/modules/company/index.ts'
import { readTranscriptionStatus, retryTranscripts } from '../../server/modules/transcripts/index.ts'
import type { Tx } from '../../server/platform/db/database.ts'
import { parseIdArgument, runOperatorCommand, withMissingName } from '../operator-command.ts'
import { table } from '../table.ts'

interface Options {
  company?: string
}

export function addTranscriptCommands(transcripts: Command): void {
  transcripts
    .command('status')
    .description('show how many recordings wait to be transcribed, and why others failed')
    .option('--company <id>', 'of one company', parseIdArgument('com'))
    .action(({ company }: Options, command: Command) =>
      runOperatorCommand(command, async (tx) => {
        await checkCompany(tx, company)
        const { waiting, failures } = await readTranscriptionStatus(tx, company)
        const rows = failures.map(({ count, failure, reason }) => [String(count), failure, reason])
        return {
          json: { waiting, failures },
          text: `${waiting} waiting.\n${table(rows, 'None has failed.')}`,
        }
      }),
    )

  transcripts
    .command('retry')
    .description('retry failed transcriptions, for instance after setting up another engine')
    .option('--company <id>', 'of one company', parseIdArgument('com'))
    .action(({ company }: Options, command: Command) =>
      runOperatorCommand(command, async (tx) => {
        await checkCompany(tx, company)
        const retried = await retryTranscripts(tx, company)
        return { json: { retried }, text: `${retried} will be retried.` }
      }),
    )
}

async function checkCompany(tx: Tx, company: string | undefined): Promise<void> {
  if (company !== undefined) await withMissingName('com', company, requireCompany(tx, company))
}
