import type { Command } from 'commander'

import { type Config, loadConfig } from '../../server/config.ts'
import { createDemoOnce, type Demo } from '../../server/demo.ts'
import { localUrl } from '../../server/local-url.ts'
import { createLog, type Log } from '../../server/platform/log.ts'
import { openStore } from '../../server/store.ts'
import { demoJson, demoText } from '../demo-text.ts'
import { reportFailure } from '../failure.ts'
import { keepMemoryFlat } from '../keep-memory-flat.ts'
import { type Outcome, print } from '../operate.ts'

interface Roles {
  api: boolean
  worker: boolean
  /** Unless there is a company already. */
  demo: 'make' | 'make if embedded' | 'no'
}

interface Part {
  stop(): Promise<void>
}

export function addServeCommands(program: Command): void {
  program
    .command('serve')
    .description('run everything in one process')
    .option('--demo', 'make a demo company if there is no company yet (an embedded database gets one anyway)')
    .action(({ demo }: { demo?: true }, command: Command) =>
      serve(command, { api: true, worker: true, demo: demo ? 'make' : 'make if embedded' }),
    )
  program
    .command('api')
    .description('serve HTTP only')
    .action((_: unknown, command: Command) => serve(command, { api: true, worker: false, demo: 'no' }))
  program
    .command('worker')
    .description('do background work only')
    .action((_: unknown, command: Command) => serve(command, { api: false, worker: true, demo: 'no' }))
}

async function serve(command: Command, roles: Roles): Promise<void> {
  keepMemoryFlat()
  const config = loadConfig()
  const log = createLog({ level: config.logLevel })
  const parts: Part[] = []
  const stop = async () => {
    for (const part of parts.splice(0).toReversed()) await part.stop()
  }
  const signalled = stopOnSignal(stop, log)
  try {
    print(command, await start(config, log, roles, parts))
  } catch (error) {
    // Whoever stops it half-way up pulls the ground from under it: no failure to report.
    if (signalled.aborted) return
    await stop()
    throw error
  }
}

/** Each part is noted in `parts` as soon as it runs, to be stopped in the reverse order. */
async function start(config: Config, log: Log, roles: Roles, parts: Part[]): Promise<Outcome> {
  // Only here: the operator's other commands start faster without an HTTP server in memory.
  const { startApi, startJobs } = await import('../../server/main.ts')
  const store = await openStore(config, log)
  parts.push({ stop: () => store.close() })
  const shared = { config, db: store.db, log }
  const api = roles.api ? await startApi(shared) : undefined
  if (api) parts.push(api)
  const url = api?.url ?? localUrl({ address: config.host, port: config.port })
  if (roles.worker) parts.push(await startJobs({ ...shared, baseUrl: config.baseUrl ?? url, apiUrl: url }))
  // Last, when nothing can fail any more: its password and key are shown only now.
  const demoWanted = roles.demo === 'make' || (roles.demo === 'make if embedded' && store.embedded)
  const demo = demoWanted ? await store.db.tx(createDemoOnce) : undefined
  return ready(api?.url, demo)
}

/** The first signal stops in order; a later one does not wait. */
function stopOnSignal(stop: () => Promise<void>, log: Log): AbortSignal {
  const signalled = new AbortController()
  let since = 0
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (signalled.signal.aborted) {
        // Under npm one Ctrl-C arrives twice: from the terminal, and passed on by npm.
        if (performance.now() - since > REPEATED_SIGNAL_MS) process.exit(1)
        return
      }
      since = performance.now()
      signalled.abort()
      log.info({ signal }, 'stopping; running requests finish first, a second signal stops at once')
      stop().then(() => process.exit(0), reportFailure)
    })
  }
  return signalled.signal
}

const REPEATED_SIGNAL_MS = 500

function ready(url: string | undefined, demo: Demo | undefined): Outcome {
  const welcome = url ? welcomeText(url) : 'Bellhop does background work. Ctrl-C stops it.'
  return {
    json: { status: 'ready', ...(url && { url }), ...(demo && { demo: demoJson(demo) }) },
    text: demo ? `${welcome}${demoText(demo, url)}` : welcome,
  }
}

const welcomeText = (url: string) => `
Bellhop is ready at ${url}

  Sign in at     ${url}/sign-in
  API reference  ${url}/docs
  Command line   npx bellhop --help
  Stop           Ctrl-C
`
