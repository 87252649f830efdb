import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { databaseCpuMs } from '../database-cpu.ts'
import type { Fixture } from '../fixture.ts'
import type { Finding } from '../measure.ts'

export interface FloodTiming {
  warmUpMs: number
  /** Short turns, because the speed of a machine varies. */
  turnMs: number
  settleMs: number
  /**
   * Not measured: a company is served like any other until it has used more than its share. The neighbour is there
   * already, because a company that is alone is never held back.
   */
  burstMs: number
  rounds: number
}

/** What the neighbour does for about `ms`, one at a time; says how long each took, by what is measured of it. */
export type Neighbour = (ms: number) => Promise<Record<string, number[]>>

/** What a process that floods the service sends after `stop`. */
export interface FloodReport {
  answered: number
  refused: number
  cpuMs: number
}

interface Speed {
  unit: string
  /** From the time that each took. */
  of(tookMs: number[]): number
  goal: number
}

/**
 * The neighbour may take a fifth longer, on average and by the median. The slowest may take half as long again: while
 * the flood uses more than a twentieth of a thread, more than a twentieth of all steps begin behind one of its own.
 */
const SPEEDS: Speed[] = [
  {
    unit: '1 / mean in seconds',
    of: (tookMs) => (1_000 * tookMs.length) / tookMs.reduce((total, ms) => total + ms, 0),
    goal: 1 / 1.2,
  },
  { unit: '1 / median in seconds', of: (tookMs) => 1_000 / quantile(tookMs, 0.5), goal: 1 / 1.2 },
  { unit: '1 / 95th percentile in seconds', of: (tookMs) => 1_000 / quantile(tookMs, 0.95), goal: 1 / 1.5 },
]

type Condition = 'flooded' | 'burdened' | 'alone'
type Turn = Awaited<ReturnType<Neighbour>>

interface FloodOptions {
  what: string
  neighbour: Neighbour
  /** Floods from the message `start` until `stop`. */
  flood: ChildProcess
  timing: FloodTiming
}

/**
 * Measures the neighbour in turns: beside the flood, beside a process that uses as much CPU as the flood's sender and
 * PostgreSQL do for it, and alone. The first two compared show what the order of service costs; on a machine with few
 * cores, the last shows mainly how much they are used.
 */
export async function besideFlood(
  { sql }: Pick<Fixture, 'sql'>,
  { what, neighbour, flood, timing }: FloodOptions,
): Promise<Finding[]> {
  const burners = [0, 1].map(() => fork(join(import.meta.dirname, 'burn.child.js')))
  let cores = 0
  const burn = (share: number) => {
    for (const burner of burners) burner.send(share / burners.length)
  }
  const reports: FloodReport[] = []
  const during: Record<Condition, Neighbour> = {
    alone: neighbour,
    async burdened(ms) {
      burn(cores)
      await pause(timing.settleMs)
      const turn = await neighbour(ms)
      burn(0)
      await pause(timing.settleMs)
      return turn
    },
    async flooded(ms) {
      const [databaseBefore, start] = [(await databaseCpuMs(sql)) ?? 0, performance.now()]
      flood.send('start')
      await neighbour(timing.burstMs)
      const turn = await neighbour(ms)
      const lastedMs = performance.now() - start
      const databaseAfter = (await databaseCpuMs(sql)) ?? 0
      const report = await stop(flood)
      cores = (report.cpuMs + databaseAfter - databaseBefore) / lastedMs
      reports.push({ ...report, answered: report.answered / (lastedMs / 1_000) })
      await pause(timing.settleMs)
      return turn
    },
  }
  try {
    await during.alone(timing.warmUpMs)
    await during.flooded(timing.warmUpMs)
    const turns: Record<Condition, Turn>[] = []
    for (let round = 0; round < timing.rounds; round++) {
      const turn: Record<Condition, Turn> = { flooded: {}, burdened: {}, alone: {} }
      const order: Condition[] = ['flooded', 'burdened', 'alone']
      for (const condition of round % 2 === 0 ? order : order.toReversed())
        turn[condition] = await during[condition](timing.turnMs)
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
      ...compareTurns(`beside ${what} and beside as much other work`, turns, 'burdened'),
      ...compareTurns(`beside ${what} and alone`, turns, 'alone'),
    ]
  } finally {
    flood.disconnect()
    for (const burner of burners) burner.disconnect()
  }
}

async function stop(flood: ChildProcess): Promise<FloodReport> {
  flood.send('stop')
  const [report] = (await once(flood, 'message')) as [FloodReport]
  return report
}

function compareTurns(what: string, turns: Record<Condition, Turn>[], other: Condition): Finding[] {
  const measured = Object.keys(turns[0]!.alone)
  return measured.flatMap((name) => {
    const all = (condition: Condition) => turns.flatMap((turn) => turn[condition][name]!)
    return SPEEDS.map(({ unit, of, goal }) => {
      const ratios = turns.map((turn) => of(turn.flooded[name]!) / of(turn[other][name]!))
      const [first, second] = [of(all('flooded')), of(all(other))]
      return {
        what: [what, name, unit].join(', '),
        sides: ['flooded', other] as [string, string],
        // What the flood leaves of the machine is no matter of fairness.
        goal: other === 'burdened' ? goal : 0,
        ratio: first / second,
        spread: [quantile(ratios, 0.25), quantile(ratios, 0.75)] as [number, number],
        first,
        second,
        rounds: turns.length,
      }
    })
  })
}

const quantile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.round((values.length - 1) * share)]!
