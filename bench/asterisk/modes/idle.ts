/**
 * Memory of a PBX without calls, five minutes after it last synthesised speech and two after a load; and its CPU time in
 * the five minutes after that.
 */
import { setTimeout as pause } from 'node:timers/promises'

import type { RunContext } from '../run-context.ts'

const AFTER_SPEECH_MS = 300_000
/** By then what other modes left is done: connections are closed, tables vacuumed, and memory given back. */
const AFTER_LOAD_MS = 120_000
/** Long enough that what happens now and then counts with its share. */
const WATCH_MS = 300_000

export async function idle({ bellhop, pbxs, report }: RunContext): Promise<void> {
  await bellhop.disconnect()
  await pause(Math.max(AFTER_LOAD_MS, bellhop.spokenAt + AFTER_SPEECH_MS - performance.now()))
  const before = pbxs.map((pbx) => ({ cpuMs: pbx.cpuMs(), memory: pbx.memory() }))
  await pause(WATCH_MS)
  for (const [i, pbx] of pbxs.entries()) {
    const after = pbx.cpuMs()
    const percent = (ms: number) => Math.round((ms / WATCH_MS) * 10_000) / 100
    report({
      mode: 'idle',
      side: pbx.name,
      round: 0,
      ownCpuPercent: percent(after.own - before[i]!.cpuMs.own),
      postgresCpuPercent: percent(after.postgres - before[i]!.cpuMs.postgres),
      memory: before[i]!.memory,
    })
  }
}
