/** Medians of what was measured, and ratios of the two sides within the same round. */
import type { Row } from '../run-context.ts'

/** A median, and the least and greatest of all rounds. */
export interface Figure {
  middle: number
  least: number
  greatest: number
}

export function figureOf(values: number[]): Figure | undefined {
  const sorted = values.filter(Number.isFinite).toSorted((a, b) => a - b)
  if (sorted.length === 0) return undefined
  const half = sorted.length / 2
  const middle = (sorted[Math.floor(half - 0.5)]! + sorted[Math.floor(half)]!) / 2
  return { middle, least: sorted[0]!, greatest: sorted.at(-1)! }
}

type Value = (row: Row) => number

/** The rows of a mode and side that count. */
export const rowsOf = (rows: Row[], mode: string, side: string): Row[] =>
  rows.filter((row) => row.mode === mode && row.side === side && row.round !== undefined)

/** First to second, in each round. */
export function ratioOf(first: Row[], second: Row[], value: Value): Figure | undefined {
  const others = new Map(second.map((row) => [row.round, value(row)]))
  return figureOf(first.map((row) => value(row) / (others.get(row.round) ?? NaN)))
}

export const callsPerOwnSecond: Value = (row) => 1_000 / (row.ownMsPerCall as number)

export const callsPerSecondWithPostgres: Value = (row) =>
  1_000 / ((row.ownMsPerCall as number) + (row.postgresMsPerCall as number))

export const callsPerCore: Value = (row) => 100 / (row.corePercentPerCall as number)
