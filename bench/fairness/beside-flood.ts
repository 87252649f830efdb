import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { Pool } from 'undici'

import { databaseCpuMs } from '../database-cpu.ts'
import type { Fixture } from '../fixture.ts'
import type { Finding } from '../measure.ts'
import type { FloodOptions, FloodReport } from './flood.child.ts'

/** The neighbour may take a fifth longer: at least 1 / 1.2 of the speed. */
const GOAL = 1 / 1.2
/** Short turns, because the speed of a machine varies. */
const TIMING = { warmUpMs: 4_000, turnMs: 1_000, settleMs: 300, burstMs: 1_000, rounds: 12, pauseMs: 15 }

/** What the neighbour does: one request at a time, with short pauses. */
interface Neighbour {
  url: string
  path: string
  apiKey: string
}

type Condition = 'flooded' | 'burdened' | 'alone'

/**
 * Measures the neighbour in turns: beside the flood, beside a process that uses as much CPU as the flood's sender and
 * PostgreSQL do for it, and alone. The first two compared show what the order of service costs; on a machine with few
 * cores, the last shows mainly how much they are used.
 */
export async function besideFlood(
  { sql }: Pick<Fixture, 'sql'>,
  what: string,
  neighbour: Neighbour,
  options: FloodOptions,
): Promise<Finding[]> {
  const flood = fork(join(import.meta.dirname, 'flood.child.js'), [JSON.stringify(options)])
  const burners = [0, 1].map(() => fork(join(import.meta.dirname, 'burn.child.js')))
  const pool = new Pool(neighbour.url, { connections: 1, pipelining: 1 })
  let cores = 0
  const burn = (share: number) => {
    for (const burner of burners) burner.send(share / burners.length)
  }
  const reports: FloodReport[] = []
  const during: Record<Condition, (ms: number) => Promise<number[]>> = {
    alone: (ms) => measureTurn(pool, neighbour, ms),
    async burdened(ms) {
      burn(cores)
      await pause(TIMING.settleMs)
      const tookMs = await measureTurn(pool, neighbour, ms)
      burn(0)
      await pause(TIMING.settleMs)
      return tookMs
    },
    async flooded(ms) {
      const [databaseBefore, start] = [(await databaseCpuMs(sql)) ?? 0, performance.now()]
      flood.send('start')
      // A company is served like any other until it has used more than its share.
      await pause(TIMING.burstMs)
      const tookMs = await measureTurn(pool, neighbour, ms)
      const lastedMs = performance.now() - start
      const report = await stop(flood)
      cores = (report.cpuMs + ((await databaseCpuMs(sql)) ?? 0) - databaseBefore) / lastedMs
      reports.push({ ...report, answered: report.answered / (lastedMs / 1_000) })
      await pause(TIMING.settleMs)
      return tookMs
    },
  }
  try {
    await during.alone(TIMING.warmUpMs)
    await during.flooded(TIMING.warmUpMs)
    const turns: Record<Condition, number[]>[] = []
    for (let round = 0; round < TIMING.rounds; round++) {
      const turn: Record<Condition, number[]> = { flooded: [], burdened: [], alone: [] }
      const order: Condition[] = ['flooded', 'burdened', 'alone']
      for (const condition of round % 2 === 0 ? order : order.toReversed())
        turn[condition] = await during[condition](TIMING.turnMs)
      turns.push(turn)
    }
    const answered = Math.round(
      quantile(
        reports.map((report) => report.answered),
        0.5,
      ),
    )
    const refused = reports.reduce((sum, report) => sum + report.refused, 0)
    process.stdout.write(
      `beside ${what}: ${answered} a second of the flood were answered, and ${refused} in all refused; it used ${cores.toFixed(2)} cores beside the service\n`,
    )
    return [
      ...compareTurns(`beside ${what} and beside as much other work`, turns, 'burdened', GOAL),
      ...compareTurns(`beside ${what} and alone`, turns, 'alone', 0),
    ]
  } finally {
    flood.disconnect()
    for (const burner of burners) burner.disconnect()
    await pool.destroy()
  }
}

async function stop(flood: ChildProcess): Promise<FloodReport> {
  flood.send('stop')
  const [report] = (await once(flood, 'message')) as [FloodReport]
  return report
}

async function measureTurn(pool: Pool, { path, apiKey }: Neighbour, ms: number): Promise<number[]> {
  const tookMs: number[] = []
  const start = performance.now()
  while (performance.now() - start < ms) {
    const before = performance.now()
    const { statusCode, body } = await pool.request({ method: 'GET', path, headers: { 'x-api-key': apiKey } })
    await body.dump()
    if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`)
    tookMs.push(performance.now() - before)
    await pause(TIMING.pauseMs)
  }
  return tookMs
}

function compareTurns(
  what: string,
  turns: Record<Condition, number[]>[],
  other: Condition,
  goal: number,
): Finding[] {
  const all = (condition: Condition) => turns.flatMap((turn) => turn[condition])
  const finding = (unit: string, of: (tookMs: number[]) => number): Finding => {
    const ratios = turns.map((turn) => of(turn.flooded) / of(turn[other]))
    const [first, second] = [of(all('flooded')), of(all(other))]
    return {
      what: `${what}, ${unit}`,
      sides: ['flooded', other],
      goal,
      ratio: first / second,
      spread: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
      first,
      second,
      rounds: turns.length,
    }
  }
  return [
    finding(
      'requests a second',
      (tookMs) => (1_000 * tookMs.length) / sum(tookMs.map((ms) => ms + TIMING.pauseMs)),
    ),
    finding('1 / median in seconds', (tookMs) => 1_000 / quantile(tookMs, 0.5)),
    finding('1 / 95th percentile in seconds', (tookMs) => 1_000 / quantile(tookMs, 0.95)),
  ]
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

const quantile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.round((values.length - 1) * share)]!
