/**
 * `npm run bench` measures every claim about speed, `npm run bench -- <name>…` only those named. Prints a table, and
 * a line of JSON for machines; fails when a ratio is below its goal.
 */
import { contactsRead } from './contacts-read.ts'
import type { Bench, Comparison } from './measure.ts'
import { sipCalls } from './sip-calls.ts'

const BENCHES: Bench[] = [contactsRead, sipCalls]

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !BENCHES.some((bench) => bench.name === name))
if (unknown.length > 0) {
  const known = BENCHES.map((bench) => bench.name).join(', ')
  process.stderr.write(`There is no bench ${unknown.join(', ')}; there is ${known}.\n`)
  process.exit(2)
}

const results: { bench: Bench; comparison: Comparison }[] = []
for (const bench of BENCHES) {
  if (wanted.length > 0 && !wanted.includes(bench.name)) continue
  process.stdout.write(`${bench.name}: measuring …\n`)
  results.push({ bench, comparison: await bench.run() })
}

process.stdout.write('\n' + table(results))
process.stdout.write(
  JSON.stringify(
    results.map(({ bench, comparison }) => ({ bench: bench.name, goal: bench.goal, ...comparison })),
  ) + '\n',
)
if (results.some(({ bench, comparison }) => comparison.ratio < bench.goal)) process.exitCode = 1

function table(results: { bench: Bench; comparison: Comparison }[]): string {
  const rows = results.map(({ bench, comparison: { ratio, spread, ours, bare } }) => [
    bench.what,
    Math.round(ours).toString(),
    Math.round(bare).toString(),
    ratio.toFixed(2),
    spread.map((share) => share.toFixed(2)).join('-'),
    `${ratio < bench.goal ? 'below' : 'meets'} ${bench.goal}`,
  ])
  const lines = [['', 'Bellhop', 'bare', 'ratio', 'middle half', 'goal'], ...rows]
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
