/** A process that uses the given share of a core for nothing, in short strokes: `0.4`; `0` is none. */
import { setTimeout as pause } from 'node:timers/promises'

const PERIOD_MS = 4

let share = 0
process.on('message', (message) => {
  share = Number(message)
})
process.on('disconnect', () => process.exit())

for (;;) {
  // A core that is shared gives less in the same time: what counts is the CPU time.
  const before = process.cpuUsage()
  while ((process.cpuUsage(before).user + process.cpuUsage(before).system) / 1_000 < share * PERIOD_MS);
  await pause(share === 0 ? 20 : Math.max(1, (1 - share) * PERIOD_MS))
}
