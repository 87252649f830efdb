import { writeFile } from 'node:fs/promises'

import type { Command } from 'commander'

import { type ListedCall, listLiveCalls } from '../../server/modules/calls/index.ts'
import { requireCompany } from '../../server/modules/company/index.ts'
import { TraceAnswer } from '../../server/modules/edges/index.ts'
import { OperatorError } from '../../server/platform/errors.ts'
import { decodeId, encodeId } from '../../server/platform/ids.ts'
import { ladder, printMessages } from '../ladder.ts'
import { LIMITS } from '../limits.ts'
import {
  askRunningEdges,
  parseIdArgument,
  runLongOperatorCommand,
  runOperatorCommand,
  withMissingName,
} from '../operator-command.ts'
import { table } from '../table.ts'

export function addCallCommands(call: Command): void {
  call
    .command('list')
    .description('list the calls in progress, of all companies or of one')
    .requiredOption('--live', 'calls that have not ended')
    .option('--company <id>', 'of one company', parseIdArgument('com'))
    .action(({ company }: { company?: string }, command: Command) =>
      runOperatorCommand(command, async (tx) => {
        if (company !== undefined) await withMissingName('com', company, requireCompany(tx, company))
        const calls = (await listLiveCalls(tx, company, LIMITS.liveCallsListed)).map(present)
        const rows = calls.map(({ id, direction, state, from, to, started_at }) => [
          id,
          direction,
          state,
          `${from} -> ${to}`,
          started_at?.toISOString() ?? '',
        ])
        return { json: { calls }, text: table(rows, 'There are no calls.') }
      }),
    )

  call
    .command('trace')
    .description('show the SIP messages of a call as a ladder, from the memory of the running edges')
    .argument('<id>', 'the id of a call, or a Call-ID as in the log (sipCallId)')
    .option('--file <path>', 'write the whole messages to a file, without passwords and keys')
    .action((id: string, { file }: { file?: string }, command: Command) =>
      runLongOperatorCommand(command, async (db, { log }) => {
        const callId = decodeId('cal', id) ?? decodeId('ica', id)
        const question = {
          ask: 'trace' as const,
          ...(callId === undefined ? { sip_call_id: id } : { call_id: callId }),
        }
        const answers = await askRunningEdges(db, log, question, TraceAnswer)
        const edges = answers.flatMap(({ sip_host, sip_port, ...answer }) =>
          answer.ok && answer.value.messages.length > 0
            ? [{ edge: `${sip_host}:${sip_port}`, messages: answer.value.messages }]
            : [],
        )
        if (edges.length === 0) throw noMessages(id)
        if (file !== undefined) {
          const text = edges.map(({ messages }) => printMessages(messages)).join('\n')
          // It has the numbers of people.
          await writeFile(file, text, { mode: 0o600 })
        }
        const isOne = edges.length === 1
        return {
          json: { edges, ...(file !== undefined && { file }) },
          text: edges
            .map(({ edge, messages }) => (isOne ? '' : `At the edge ${edge}:\n`) + ladder(messages))
            .join('\n\n'),
        }
      }),
    )
}

const noMessages = (id: string) =>
  new OperatorError(
    `No running edge has SIP messages of ${id}. They are kept in memory for the latest calls: trace a call soon ` +
      'after it was made, and before the edge is restarted.',
  )

function present(row: ListedCall) {
  const { company_id, id, direction, state, remote_number: remote, number, started_at } = row
  return {
    id: encodeId(direction === 'internal' ? 'ica' : 'cal', id),
    company: encodeId('com', company_id),
    direction,
    state,
    from: direction === 'inbound' ? remote : number,
    to: direction === 'inbound' ? number : remote,
    started_at,
  }
}
