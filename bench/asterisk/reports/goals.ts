/** The comparison with Asterisk: what is claimed of each figure, and how it comes from the results. */
import type { Memory } from '../processes.ts'
import type { Row } from '../run-context.ts'
import {
  callsPerCore,
  callsPerOwnSecond,
  callsPerSecondWithPostgres,
  type Figure,
  figureOf,
  ratioOf,
  rowsOf,
} from './figures.ts'

export interface Goal {
  what: string
  unit?: string
  better: 'higher' | 'lower'
  /** Of the release before this comparison was made. */
  before: string
  /** What must be reached at least, and what is aimed at. */
  least: number
  aim: number
  measure(rows: Row[]): Measured
}

export interface Measured {
  bellhop?: Figure | undefined
  asterisk?: Figure | undefined
  /** What is held against the goal. */
  result: Figure | undefined
}

const SOUND = { p99MsMax: 20 }
/** Of which the cost is compared. */
const CALLS_AT_ONCE = 100
const isOfSize = (row: Row) => row.calls === CALLS_AT_ONCE
/** The blocks of calls that are compared. */
const GROWTH = { early: 1_000, late: 10_000 }

export const GOALS: Goal[] = [
  {
    what: 'inbound calls per core-second, PostgreSQL counted on both sides',
    better: 'higher',
    before: '0.25',
    least: 0.6,
    aim: 1,
    measure: (rows) =>
      compare(rows, 'inbound', callsPerSecondWithPostgres, ['bellhop', 'asterisk+cdr_pgsql']),
  },
  {
    what: 'inbound calls per core-second, PBX only',
    better: 'higher',
    before: '0.43',
    least: 0.8,
    aim: 1.2,
    measure: (rows) => compare(rows, 'inbound', callsPerOwnSecond),
  },
  {
    what: 'calls a second of a company of 480 against one of 40',
    better: 'higher',
    before: '0.17',
    least: 0.85,
    aim: 1,
    measure(rows) {
      const [large, small] = [480, 40].map((size) => rowsOf(rows, 'company-size', `company of ${size}`))
      return {
        bellhop: figureOf(large!.map((row) => row.perSecond as number)),
        result: ratioOf(large!, small!, (row) => row.perSecond as number),
      }
    },
  },
  {
    what: 'cost of the 10,000th call against the 500th, PostgreSQL counted',
    better: 'lower',
    before: '2 within 640',
    least: 1.15,
    aim: 1.05,
    measure(rows) {
      const costUntil = (until: number) => {
        const row = rows.find((each) => each.mode === 'growth' && each.until === until)
        return row ? (row.ownMsPerCall as number) + (row.postgresMsPerCall as number) : NaN
      }
      return { result: figureOf([costUntil(GROWTH.late) / costUntil(GROWTH.early)]) }
    },
  },
  {
    what: `bridged calls per core, ${CALLS_AT_ONCE} at once`,
    better: 'higher',
    before: '0.48',
    least: 0.8,
    aim: 1.2,
    measure: (rows) => compare(rows.filter(isOfSize), 'bridged', callsPerCore),
  },
  {
    what: 'bridged calls with p99 below 20 ms and none lost',
    better: 'higher',
    before: '180',
    least: 400,
    aim: 480,
    measure: (rows) => ({
      bellhop: mostWithSound(rows, 'bellhop'),
      asterisk: mostWithSound(rows, 'asterisk'),
      result: mostWithSound(rows, 'bellhop'),
    }),
  },
  {
    what: `recorded calls per core, ${CALLS_AT_ONCE} at once`,
    better: 'higher',
    before: '0.87',
    least: 1,
    aim: 1.2,
    measure: (rows) => compare(rows.filter(isOfSize), 'recorded', callsPerCore),
  },
  {
    what: 'longest gap in a running call while 200 calls a second begin',
    unit: 'ms',
    better: 'lower',
    before: '549',
    least: 60,
    aim: 40,
    measure: (rows) => plain(rows, 'gap', (row) => row.gapMs as number),
  },
  {
    what: 'INVITE to 200, p50',
    unit: 'ms',
    better: 'lower',
    before: '7.4',
    least: 4,
    aim: 3,
    measure: (rows) => plain(rows, 'delay', (row) => (row.inviteToAnswerMs as { p50: number }).p50),
  },
  {
    what: '200 to first sound, p50',
    unit: 'ms',
    better: 'lower',
    before: '11.5',
    least: 6,
    aim: 3,
    measure: (rows) => plain(rows, 'delay', (row) => (row.answerToSoundMs as { p50: number }).p50),
  },
  {
    what: 'idle CPU, PostgreSQL included',
    unit: '%',
    better: 'lower',
    before: '4',
    least: 1.5,
    aim: 0.5,
    measure: (rows) =>
      plain(rows, 'idle', (row) => (row.ownCpuPercent as number) + (row.postgresCpuPercent as number)),
  },
  {
    what: 'idle memory of all processes, five minutes after the last speech',
    unit: 'MB',
    better: 'lower',
    before: '265, with engines 537-650',
    least: 265,
    aim: 200,
    measure: (rows) => plain(rows, 'idle', memoryMb),
  },
]

function compare(
  rows: Row[],
  mode: string,
  value: (row: Row) => number,
  sides: [string, string] = ['bellhop', 'asterisk'],
): Measured {
  const [bellhop, asterisk] = sides.map((side) => rowsOf(rows, mode, side))
  return {
    bellhop: figureOf(bellhop!.map(value)),
    asterisk: figureOf(asterisk!.map(value)),
    result: ratioOf(bellhop!, asterisk!, value),
  }
}

function plain(rows: Row[], mode: string, value: (row: Row) => number): Measured {
  const bellhop = figureOf(rowsOf(rows, mode, 'bellhop').map(value))
  return { bellhop, asterisk: figureOf(rowsOf(rows, mode, 'asterisk').map(value)), result: bellhop }
}

/** The greatest number of calls at once up to which the median of the rounds was good, and no round lost a packet. */
function mostWithSound(rows: Row[], side: string): Figure | undefined {
  const talks = rows.filter((row) => row.side === side && ['bridged', 'most'].includes(row.mode))
  if (talks.length === 0) return undefined
  const sizes = [...new Set(talks.map((row) => row.calls as number))].toSorted((a, b) => a - b)
  const firstBad = sizes.findIndex((size) => !isGood(talks.filter((row) => row.calls === size)))
  const most = firstBad < 0 ? sizes.at(-1)! : (sizes[firstBad - 1] ?? 0)
  return figureOf([most])
}

const isGood = (rounds: Row[]) =>
  rounds.every(({ lost }) => lost === 0) &&
  figureOf(rounds.map((row) => row.p99Ms as number))!.middle < SOUND.p99MsMax

/** Asterisk's PostgreSQL is there only for its call records, but counts as Bellhop's does. */
function memoryMb(row: Row): number {
  const { own, postgres } = row.memory as { own: Memory; postgres: Memory }
  return own.aloneMb + own.belowMb + postgres.aloneMb + postgres.belowMb
}
