import type { Command } from 'commander'

import type { AcceptSipWebSocket } from '../../server/api/sip-websockets.ts'
import { type Config, loadConfig } from '../../server/config.ts'
import { loadApi, loadEdge, loadEdgeHttp, loadJobs, loadTracing, loadWorkerHttp } from '../../server/main.ts'
import { createPresence } from '../../server/platform/async/presence.ts'
import { systemClock } from '../../server/platform/clock.ts'
import { watchEventLoop } from '../../server/platform/event-loop.ts'
import { MAIN_REST } from '../../server/platform/limits.ts'
import { createLog, type Log } from '../../server/platform/log.ts'
import { collectAtRest } from '../../server/platform/thread/collect-at-rest.ts'
import { ROLE_LIMITS } from '../../server/roles/limits.ts'
import { createEmbeddedSynthesiser } from '../../server/speech/embedded/synthesiser.ts'
import type { Edge } from '../../server/telephony/edge/edge.ts'
import { openInstallationDatabase } from '../../server/wiring/database.ts'
import { createDemoOnce, type Demo } from '../../server/wiring/demo.ts'
import { missingEngines, WITHOUT } from '../../server/wiring/engines/missing-engines.ts'
import type { EngineName } from '../../server/wiring/engines/packages.ts'
import { localUrl } from '../../server/wiring/local-url.ts'
import { openStory } from '../../server/wiring/story/open-story.ts'
import { version } from '../../server/wiring/version.ts'
import { demoJson, demoText } from '../demo-text.ts'
import { type CommandResult, print } from '../operator-command.ts'
import { setServiceFlags } from './service-flags.ts'
import { type Shutdown, shutDownGracefully } from './shutdown.ts'
import { notifySystemd } from './systemd.ts'

export interface Roles {
  api: boolean
  worker: boolean
  edge: boolean
  /** Unless there is a company already. */
  demo: 'make' | 'make if embedded' | 'no'
}

interface Part {
  stop(): Promise<void>
}

interface Settled extends Shutdown {
  config: Config
  log: Log
}

export async function serve(command: Command, roles: Roles): Promise<void> {
  const config = loadConfig()
  const log = createLog({ level: config.logLevel })
  const parts: Part[] = []
  const stop = async () => {
    await notifySystemd('STOPPING=1', log)
    for (const part of parts.splice(0).toReversed()) await part.stop()
  }
  const { isLeaving } = shutDownGracefully({ stop, drainMs: config.edge.drainMs, log })
  try {
    const started = await start({ config, log, isLeaving }, roles, parts)
    setServiceFlags()
    print(command, started)
    await notifySystemd('READY=1', log)
    // Loading the program blocks the event loop for longer than any request may.
    watchEventLoop(log)
    collectAtRest(MAIN_REST)
  } catch (error) {
    // If it is stopped during its start, errors are expected.
    if (isLeaving()) return
    await stop()
    throw error
  }
}

/** Each part is added to `parts` as soon as it runs, to be stopped in reverse order. */
async function start(
  { config, log, isLeaving }: Settled,
  roles: Roles,
  parts: Part[],
): Promise<CommandResult> {
  const tracing = config.tracing && (await loadTracing()).startTracing(config.tracing, { version, log })
  // The first part is stopped last, when nothing more happens.
  if (tracing) parts.push(tracing)
  // The rest of the program is loaded while PostgreSQL starts.
  const loading = load(roles)
  const store = await openInstallationDatabase(config, log)
  parts.push({ stop: () => store.close() })
  const { startApi, startJobs, startEdge, serveEdge, serveWorker } = await loading
  const speaker = createEmbeddedSynthesiser({ clock: systemClock, log })
  parts.push({ stop: () => speaker.close() })
  const presence = createPresence(ROLE_LIMITS.companyPresentMs)
  const shared = { config, db: store.db, log, isLeaving, speaker, presence, tracer: tracing?.tracer }
  let edge: Edge | undefined
  const receivePhone: AcceptSipWebSocket = (request, socket, head) =>
    edge ? edge.upgrade(request, socket, head) : socket.destroy()
  const api = await startApi?.({
    ...shared,
    ...(roles.edge && { receivePhone, edgeMetrics: () => edge?.metrics }),
  })
  if (api) parts.push(api)
  const url = api?.url ?? localUrl({ address: config.host, port: config.port })
  const jobParts = { ...shared, baseUrl: config.baseUrl ?? url, apiUrl: url, besideEdge: roles.edge }
  if (startJobs) parts.push(await startJobs(jobParts))
  if (startEdge) {
    edge = await startEdge(shared)
    parts.push(edge)
  }
  const phones = edge && (await serveEdge?.({ ...shared, edge }))
  if (phones) parts.push(phones)
  const worker = await serveWorker?.(shared)
  if (worker) parts.push(worker)
  if (edge) parts.push(draining(edge, config))
  // Last, when nothing can fail any more: its password and key are shown only now.
  const demoWanted = roles.demo === 'make' || (roles.demo === 'make if embedded' && store.embedded)
  const demo = demoWanted ? await store.db.tx((tx) => createDemoOnce(tx, openStory(config, log))) : undefined
  return ready({
    url: api?.url ?? phones?.url ?? worker?.url,
    role: roleOf(roles),
    sip: edge && sipAddress(config, edge),
    dataDir: config.dataDir,
    missing: missingEngines(config),
    demo,
  })
}

/** Only what the process does: each role takes up to half a second of CPU time to load. */
async function load({ api, worker, edge }: Roles) {
  const [apis, jobs, edges, edgeHttp, workerHttp] = await Promise.all([
    api ? loadApi() : undefined,
    worker ? loadJobs() : undefined,
    edge ? loadEdge() : undefined,
    edge && !api ? loadEdgeHttp() : undefined,
    worker && !api ? loadWorkerHttp() : undefined,
  ])
  return { ...apis, ...jobs, ...edges, ...edgeHttp, ...workerHttp }
}

/** Live calls finish first; what they need, such as the connections of browsers, is stopped afterwards. */
const draining = (edge: Edge, { edge: { drainMs } }: Config): Part => ({
  stop: () => edge.drain(drainMs),
})

const roleOf = ({ api, edge }: Roles) => (api ? 'api' : edge ? 'edge' : 'worker')

function sipAddress({ sip: { hosts } }: Config, { port }: Edge): string {
  const host = hosts[0]!
  return `sip:${host.includes(':') ? `[${host}]` : host}:${port}`
}

interface Running {
  role: 'api' | 'edge' | 'worker'
  url: string | undefined
  sip: string | undefined
  dataDir: string
  missing: EngineName[]
  demo: Demo | undefined
}

function ready({ role, url, sip, dataDir, missing, demo }: Running): CommandResult {
  const welcome = `${WELCOME[role]({ url, sip, dataDir })}${missing.map(missingText).join('')}`
  return {
    json: {
      status: 'ready',
      ...(url && { url }),
      ...(sip && { sip }),
      data: dataDir,
      ...(missing.length > 0 && { missing_engines: missing }),
      ...(demo && { demo: demoJson(demo) }),
    },
    text: demo ? `${welcome}${demoText(demo, url)}` : welcome,
  }
}

const missingText = (engine: EngineName) => `
The ${engine} engine is not installed: ${WITHOUT[engine]}.

  Add it         npx bellhop engines add ${engine}
`

const WELCOME: Record<Running['role'], (running: Pick<Running, 'url' | 'sip' | 'dataDir'>) => string> = {
  api: ({ url, sip, dataDir }) => `
Bellhop is ready at ${url}

  Sign in at     ${url}/sign-in
  API reference  ${url}/docs
  Command line   npx bellhop --help
${sip ? `  Phones         ${sip} (UDP and TCP)\n` : ''}  Data           ${dataDir}
  Stop           Ctrl-C
`,
  edge: ({ url, sip }) => `
The edge of Bellhop is ready at ${url}

  Phones         ${sip} (UDP and TCP)
  Stop           Ctrl-C: running calls finish first
`,
  worker: ({ url }) =>
    [
      'Bellhop does background work. Ctrl-C stops it.',
      ...(url ? [`Its health is at ${url}/healthz, its metrics at ${url}/metrics`] : []),
    ].join('\n'),
}
