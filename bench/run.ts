/**
 * `npm run bench` measures every claim about speed, `npm run bench -- <name>…` only those named. Prints a table, and
 * a line of JSON for machines; fails when a ratio is below its goal.
 */
import { bridgedCalls } from './calls/bridged-calls.ts'
import { burst } from './calls/burst.ts'
import { firstSound } from './calls/first-sound.ts'
import { growth } from './calls/growth.ts'
import { inbound } from './calls/inbound.ts'
import { liveCalls } from './calls/live-calls.ts'
import { opusCalls } from './calls/opus-calls.ts'
import { queue } from './calls/queue.ts'
import { sipCalls } from './calls/sip-calls.ts'
import { liveBroadcast } from './events/live-broadcast.ts'
import { webhookDeliveries } from './events/webhook-deliveries.ts'
import { noisyNeighbour } from './fairness/noisy-neighbour.ts'
import { callsList } from './lists/calls-list.ts'
import { contactsRead } from './lists/contacts-read.ts'
import { contactsSearch } from './lists/contacts-search.ts'
import { inboxPage } from './lists/inbox-page.ts'
import { inbox } from './lists/inbox.ts'
import { voicemailsList } from './lists/voicemails-list.ts'
import type { Bench, Finding } from './measure.ts'
import { searchRecall } from './search/search-recall.ts'
import { searchScale } from './search/search-scale.ts'
import { transcription } from './search/transcription.ts'

const BENCHES: Bench[] = [
  contactsRead,
  contactsSearch,
  callsList,
  voicemailsList,
  inbox,
  inboxPage,
  webhookDeliveries,
  liveBroadcast,
  bridgedCalls,
  opusCalls,
  sipCalls,
  liveCalls,
  inbound,
  growth,
  firstSound,
  burst,
  queue,
  searchRecall,
  searchScale,
  transcription,
  noisyNeighbour,
]

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !BENCHES.some((bench) => bench.name === name))
if (unknown.length > 0) {
  const known = BENCHES.map((bench) => bench.name).join(', ')
  process.stderr.write(`There is no bench ${unknown.join(', ')}; there is ${known}.\n`)
  process.exit(2)
}

const findings: (Finding & { bench: string })[] = []
for (const bench of BENCHES) {
  if (wanted.length > 0 && !wanted.includes(bench.name)) continue
  process.stdout.write(`${bench.name}: measuring …\n`)
  for (const finding of await bench.run()) findings.push({ bench: bench.name, ...finding })
}

process.stdout.write('\n' + table(findings))
process.stdout.write(JSON.stringify(findings) + '\n')
if (findings.some(({ ratio, goal }) => ratio < goal)) process.exitCode = 1

function table(findings: Finding[]): string {
  const rows = findings.map(({ what, sides, goal, ratio, spread, first, second }) => [
    what,
    `${sides[0]} ${Math.round(first)}`,
    `${sides[1]} ${Math.round(second)}`,
    ratio.toFixed(2),
    spread.map((share) => share.toFixed(2)).join('-'),
    `${ratio < goal ? 'below' : 'meets'} ${goal.toFixed(2)}`,
  ])
  const lines = [['', '', '', 'ratio', 'middle half', 'goal'], ...rows]
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)))
  return lines
    .map(
      (line) =>
        line
          .map((cell, column) => cell.padEnd(widths[column]!))
          .join('  ')
          .trimEnd() + '\n',
    )
    .join('')
}
