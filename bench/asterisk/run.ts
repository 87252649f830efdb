/**
 * `npm run bench:asterisk` measures everything of the comparison with Asterisk and prints its table. With the names of
 * modes, and options of `measure.ts`, it measures only those; `--print FILE` prints the table of earlier results.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describeResults } from './reports/table.ts'
import type { Row } from './run-context.ts'

/** Each in an installation of its own, so that the calls of one do not burden the next. */
const PHASES = [
  ['--companies', '5x40', 'inbound', 'delay', 'bridged', 'recorded', 'gap', 'idle'],
  ['--companies', '12x40,1x480', 'company-size', 'most'],
  ['--companies', '2x40', '--lines', '80', '--bellhop-only', 'growth'],
]

const given = process.argv.slice(2)
if (given[0] === '--print') {
  print(given[1]!)
} else {
  const out = join(tmpdir(), `bellhop-beside-asterisk-${process.pid}.jsonl`)
  rmSync(out, { force: true })
  for (const phase of given.length > 0 ? [given] : PHASES) await measure(['--out', out, ...phase])
  print(out)
  process.stdout.write(`The results are in ${out}.\n`)
}

/** If one fails, the others still count. */
async function measure(args: string[]): Promise<void> {
  const program = join(import.meta.dirname, 'measure.js')
  const child = spawn(process.execPath, [program, ...args], { stdio: 'inherit' })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => child.kill(signal))
  const [status] = (await once(child, 'exit')) as [number | null]
  if (status !== 0) process.exitCode = status ?? 1
}

function print(file: string): void {
  if (!existsSync(file)) return
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const rows = lines.map((line) => JSON.parse(line) as Row)
  process.stdout.write(`\n${describeResults(rows)}`)
}
