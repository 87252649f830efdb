/**
 * `npm run cluster -- NAME` builds a cluster of the real programs on this machine, where loopback addresses stand for
 * machines, and runs the scenario. Fails if anything does not hold that docs/operating/scale.md or upgrade.md promises.
 */
import { runFailover } from './failover/scenario.ts'
import { runSockets } from './sockets/scenario.ts'
import { runUpgrade } from './upgrade/scenario.ts'

/** Each reports on its progress, and returns a sentence for everything that does not hold. */
export interface Scenario {
  (parts: {
    /** What follows its name. */
    options: string[]
    tell(line: string): void
    /** Close what was opened, in reverse order. */
    closes: (() => Promise<void> | void)[]
  }): Promise<string[]>
}

const SCENARIOS: Record<string, Scenario> = {
  failover: runFailover,
  sockets: runSockets,
  upgrade: runUpgrade,
}

const [name = '', ...options] = process.argv.slice(2)
const scenario = SCENARIOS[name]
if (!scenario) {
  process.stderr.write(`npm run cluster -- ${Object.keys(SCENARIOS).join('|')} [options]\n`)
  process.exit(2)
}

const since = performance.now()
const tell = (line: string) => {
  process.stdout.write(`${((performance.now() - since) / 1_000).toFixed(1).padStart(6)}  ${line}\n`)
}
const closes: (() => Promise<void> | void)[] = []
const close = async () => {
  for (const one of closes.splice(0).toReversed())
    await Promise.resolve(one()).catch((error: Error) => tell(`could not clean up: ${error.message}`))
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => void close().then(() => process.exit(1)))

try {
  const broken = await scenario({ options, tell, closes })
  for (const sentence of broken) tell(`broken: ${sentence}`)
  tell(broken.length === 0 ? 'everything holds' : `${broken.length} things do not hold`)
  process.exitCode = broken.length === 0 ? 0 : 1
} catch (error) {
  tell(`could not be run: ${(error as Error).stack}`)
  process.exitCode = 1
} finally {
  await close()
}
process.exit()
