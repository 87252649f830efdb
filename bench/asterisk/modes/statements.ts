/** Modes that read the log of Bellhop's PostgreSQL: every statement of some calls, or those that take long. */
import { open } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

import type { Bellhop } from '../bellhop.ts'
import { countStatements, type LogEntry, parseLog, sumDurations } from '../reports/postgres-log.ts'
import type { RunContext } from '../run-context.ts'
import { openShortCalls } from '../short-calls.ts'
import { bellhopAlone } from './inbound.ts'

const CALLS = 20
const IDLE_MS = 10_000
/** What a call leaves to be written. */
const SETTLE_MS = 2_000
const LISTED_MAX = 60

export async function statements({ bellhop, report }: RunContext): Promise<void> {
  for (const isRecorded of [false, true]) {
    await bellhop.record(isRecorded)
    const short = await openShortCalls(bellhop, [0])
    await short.call(0)
    await pause(SETTLE_MS)
    const start = performance.now()
    const during = countStatements(
      await logDuring(bellhop, "log_statement = 'all'", async () => {
        for (let i = 0; i < CALLS; i++) await short.call(0)
        await pause(SETTLE_MS)
      }),
    )
    const elapsedMs = performance.now() - start
    short.close()
    const meanwhile = countStatements(await logDuring(bellhop, "log_statement = 'all'", () => pause(IDLE_MS)))
    const idlePerSecond = total(meanwhile) / (IDLE_MS / 1_000)
    const perCall = (total(during) - (idlePerSecond * elapsedMs) / 1_000) / CALLS
    report({ mode: 'statements', side: isRecorded ? 'recorded' : 'bellhop', perCall, idlePerSecond })
    print(`${CALLS} calls, a call:`, during, CALLS)
    print('idle, a second:', meanwhile, IDLE_MS / 1_000)
  }
  await bellhop.record(false)
}

export async function slow(run: RunContext): Promise<void> {
  const log = await logDuring(run.bellhop, "log_min_duration_statement = '2ms'", () =>
    bellhopAlone(run, 'slow'),
  )
  for (const { statement, count, totalMs } of sumDurations(log).slice(0, LISTED_MAX))
    process.stdout.write(
      `${totalMs.toFixed(0).padStart(8)} ms, ${count} times, each ${(totalMs / count).toFixed(1)} ms: ${statement}\n`,
    )
}

/** What PostgreSQL logs with this setting while something happens. */
async function logDuring(
  bellhop: Bellhop,
  setting: string,
  happen: () => Promise<unknown>,
): Promise<LogEntry[]> {
  const file = await open(bellhop.postgresLog)
  try {
    const { size } = await file.stat()
    await bellhop.query(`alter system set ${setting}`)
    await bellhop.query('select pg_reload_conf()')
    await happen()
    await bellhop.query(`alter system reset ${setting.split(' ')[0]}`)
    await bellhop.query('select pg_reload_conf()')
    const length = (await file.stat()).size - size
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size)
    return parseLog(buffer.toString())
  } finally {
    await file.close()
  }
}

const total = (counts: Map<string, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0)

function print(what: string, counts: Map<string, number>, divisor: number): void {
  process.stdout.write(`${what} ${(total(counts) / divisor).toFixed(1)} statements\n`)
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, LISTED_MAX)
  for (const [text, count] of sorted)
    process.stdout.write(`${(count / divisor).toFixed(2).padStart(8)}  ${text}\n`)
}
