/** Prints the comparison as a table in Markdown. */
import type { Row } from '../run-context.ts'
import { type Figure, figureOf } from './figures.ts'
import { type Goal, GOALS } from './goals.ts'

export function describeResults(rows: Row[]): string {
  const head = ['', 'Bellhop', 'Asterisk', 'result', 'earlier release', 'at least', 'aim', '']
  const lines = GOALS.map((goal) => lineOf(goal, rows))
  const table = [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`)
  return `${table.join('\n')}\n\n${describeNoise(rows)}\n`
}

function lineOf(goal: Goal, rows: Row[]): string[] {
  const { bellhop, asterisk, result } = goal.measure(rows)
  const { what, unit, before, least, aim } = goal
  return [
    unit ? `${what} (${unit})` : what,
    short(bellhop),
    short(asterisk),
    withSpread(result),
    before,
    String(least),
    String(aim),
    verdict(goal, result),
  ]
}

function verdict({ better, least, aim }: Goal, result: Figure | undefined): string {
  if (!result) return 'not measured'
  const reaches = (goal: number) => (better === 'higher' ? result.middle >= goal : result.middle <= goal)
  if (reaches(aim)) return 'aim reached'
  return reaches(least) ? 'reached' : 'missed'
}

const short = (figure: Figure | undefined) => (figure ? format(figure.middle) : '')

const withSpread = (figure: Figure | undefined) =>
  figure && figure.least !== figure.greatest
    ? `${format(figure.middle)} (${format(figure.least)}-${format(figure.greatest)})`
    : short(figure)

const format = (value: number) =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)

/** On a quiet machine, other programs use no more than a few hundredths of a core. */
function describeNoise(rows: Row[]): string {
  const others = figureOf(rows.flatMap((row) => (typeof row.otherCores === 'number' ? [row.otherCores] : [])))
  return others ? `Meanwhile other programs used ${withSpread(others)} cores.` : ''
}
