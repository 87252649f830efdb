import { appendFileSync, readFileSync } from 'node:fs'

import type { Asterisk } from './asterisk.ts'
import type { Bellhop } from './bellhop.ts'
import type { CompanyGroup } from './companies.ts'
import type { Pbx } from './pbx.ts'
import type { Span } from './reports/cpu-profile.ts'

/** What every mode gets: the two PBXs, and how thorough to be. */
export interface RunContext {
  bellhop: Bellhop
  /** Missing if only Bellhop is measured. */
  asterisk: Asterisk | undefined
  pbxs: Pbx[]
  companies: CompanyGroup[]
  /** How many lines have a call at once, in modes of short calls. */
  lines: number
  rounds: number
  turnMs: number
  /** The numbers of calls at once, of modes that have long calls. */
  sizes: number[] | undefined
  /** When the rounds that count took place, for a profile. */
  spans: Span[]
  report(row: Row): void
}

/** A line of the file of results. */
export interface Row {
  mode: string
  side: string
  /** The rounds that count are numbered from 0. */
  round?: number
  [figure: string]: unknown
}

export function createReport(file: string): (row: Row) => void {
  return (row) => {
    const [load] = readFileSync('/proc/loadavg', 'utf8').split(' ')
    const text = JSON.stringify({ ...row, load: Number(load) })
    appendFileSync(file, `${text}\n`)
    process.stdout.write(`${text}\n`)
  }
}

/** Who goes first changes each round. */
export const inTurn = <T>(round: number, list: T[]): T[] => (round % 2 === 0 ? list : list.toReversed())
