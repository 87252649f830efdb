/** Modes of short calls: what a call costs, and whether that depends on the size of the company or of the history. */
import { setTimeout as pause } from 'node:timers/promises'

import { linesOfFirstCompany } from '../companies.ts'
import type { Pbx } from '../pbx.ts'
import { inTurn, type RunContext } from '../run-context.ts'
import { callInTurn, openShortCalls, startCost } from '../short-calls.ts'

/** V8 compiles what runs often, and a call costs less and less until then (see the mode `growth`). */
const WARM_UP_CALLS = 3_000
const REACH_LINES = [80, 160]
const GROWTH = { calls: 10_000, block: 500 }

interface Variant {
  side: string
  pbx: Pbx
  lines?: number[]
  before?(): Promise<void> | void
  after?(): Promise<void> | void
}

/** Without records in PostgreSQL and with them: Bellhop always writes them. */
export async function inbound(run: RunContext): Promise<void> {
  const { bellhop, asterisk } = run
  const variants: Variant[] = [{ side: 'bellhop', pbx: bellhop }]
  if (asterisk)
    variants.push(
      { side: 'asterisk', pbx: asterisk },
      {
        side: 'asterisk+cdr_pgsql',
        pbx: asterisk,
        before: () => asterisk.recordsInPostgres(true),
        after: () => asterisk.recordsInPostgres(false),
      },
    )
  await measure(run, 'inbound', variants)
  if (asterisk && (await asterisk.countRecords()) === 0)
    throw new Error('Asterisk wrote no record to PostgreSQL')
}

/** The same, with the recording of each call. */
export function inboundRecorded(run: RunContext): Promise<void> {
  const variants = run.pbxs.map((pbx) => ({
    side: pbx.name,
    pbx,
    before: () => pbx.record(true),
    after: () => pbx.record(false),
  }))
  return measure(run, 'inbound-recorded', variants)
}

/** More callers at once than the PBX can answer. */
export async function reach(run: RunContext): Promise<void> {
  for (const count of REACH_LINES)
    await measure(
      { ...run, rounds: Math.min(run.rounds, 2) },
      'reach',
      run.pbxs.map((pbx) => ({ side: pbx.name, pbx, lines: firstLines(count) })),
    )
}

/** The same calls to a company of the first group and to one of the last. */
export function companySize(run: RunContext): Promise<void> {
  const { bellhop, companies } = run
  const of = (group: number): Variant => ({
    side: `company of ${companies[group]!.employees}`,
    pbx: bellhop,
    lines: linesOfFirstCompany(companies, group, run.lines),
  })
  return measure(run, 'company-size', [of(0), of(companies.length - 1)])
}

/** What the calls of each block cost: ten thousand of them, one after the other on each line. */
export async function growth({ bellhop, lines, report }: RunContext): Promise<void> {
  const short = await openShortCalls(bellhop, firstLines(lines))
  let [begun, done] = [0, 0]
  let cost = startCost(bellhop)
  const keepCalling = async (place: number) => {
    while (begun < GROWTH.calls) {
      begun++
      await short.call(place)
      if (++done % GROWTH.block !== 0) continue
      report({ mode: 'growth', side: 'bellhop', until: done, ...cost(GROWTH.block) })
      cost = startCost(bellhop)
    }
  }
  await Promise.all(firstLines(lines).map(keepCalling))
  short.close()
}

/** Only Bellhop, for its profile or for the log of its PostgreSQL. */
export const bellhopAlone = (run: RunContext, mode: string): Promise<void> =>
  measure(run, mode, [{ side: 'bellhop', pbx: run.bellhop }])

const firstLines = (count: number) => Array.from({ length: count }, (_, line) => line)

async function measure(run: RunContext, mode: string, variants: Variant[]): Promise<void> {
  for (let round = -1; round < run.rounds; round++) {
    for (const { side, pbx, lines = firstLines(run.lines), before, after } of inTurn(round + 2, variants)) {
      await before?.()
      const from = microseconds()
      const until = round < 0 ? { calls: WARM_UP_CALLS } : { ms: run.turnMs }
      const turn = await callInTurn(pbx, lines, until)
      if (round >= 0) run.spans.push({ from, to: microseconds() })
      await after?.()
      run.report({ mode, side, ...(round >= 0 && { round }), lines: lines.length, ...turn })
      await pause(500)
    }
  }
}

const microseconds = () => Number(process.hrtime.bigint() / 1_000n)
