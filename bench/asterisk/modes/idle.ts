/** CPU time and memory of an exchange without calls, five minutes after it last synthesised speech. */
import { setTimeout as pause } from 'node:timers/promises'

import type { RunContext } from '../run-context.ts'

const AFTER_SPEECH_MS = 300_000
const WATCH_MS = 20_000

export async function idle({ bellhop, exchanges, report }: RunContext): Promise<void> {
  await pause(Math.max(0, bellhop.spokenAt + AFTER_SPEECH_MS - performance.now()))
  const before = exchanges.map((exchange) => exchange.cpuMs())
  await pause(WATCH_MS)
  for (const [i, exchange] of exchanges.entries()) {
    const after = exchange.cpuMs()
    const percent = (ms: number) => Math.round((ms / WATCH_MS) * 10_000) / 100
    report({
      mode: 'idle',
      side: exchange.name,
      round: 0,
      ownCpuPercent: percent(after.own - before[i]!.own),
      postgresCpuPercent: percent(after.postgres - before[i]!.postgres),
      memory: exchange.memory(),
    })
  }
}
