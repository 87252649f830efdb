/**
 * `npm run chaos` starts Bellhop as several processes, generates load and injects faults for a time, and then checks
 * everything that docs/operating/reliability.md promises. Fails if anything does not hold.
 */
import { randomInt } from 'node:crypto'

import { runCampaign } from './campaign.ts'
import { readOptions, USAGE } from './options.ts'
import { reportOf } from './report.ts'

const options = readOptions(process.argv.slice(2), () => randomInt(1_000_000))
if (typeof options === 'string') {
  process.stderr.write(`${options}\n\n${USAGE}`)
  process.exit(2)
}

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => stopping.abort(new Error(`ended by ${signal}`)))

const since = performance.now()
const tell = (line: string) => {
  const seconds = Math.round((performance.now() - since) / 1_000)
  process.stdout.write(
    `${String(Math.floor(seconds / 60)).padStart(3)}:${String(seconds % 60).padStart(2, '0')}  ${line}\n`,
  )
}

tell(`seed ${options.seed}, ${options.minutes} minutes`)
try {
  const result = await runCampaign({ ...options, signal: stopping.signal, tell })
  process.stdout.write(`\n${reportOf(result)}\nseed ${options.seed}\n`)
  process.exitCode = result.findings.some(({ broken }) => broken.length > 0) ? 1 : 0
} catch (error) {
  process.stderr.write(`${stopping.signal.aborted ? (error as Error).message : (error as Error).stack}\n`)
  process.exitCode = 1
}
