import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import { Agent, fetch, type RequestInit } from 'undici'

import { claimNetwork, HOSTS } from '../../chaos/environment/network.ts'
import { startPostgres } from '../../chaos/environment/postgres.ts'
import { type Role, startRole } from '../../chaos/environment/role.ts'
import { outsideSettings, settingsOf } from '../../chaos/environment/running-bellhop.ts'
import type { Scenario } from '../run.ts'
import { openBrowsers } from './browsers.ts'
import { openLiveClients } from './live-clients.ts'
import { type Person, seedPeople } from './seed.ts'

const SECRET = 'a-secret-of-all-processes-of-the-cluster'
const COMPANY_SIZE = 200
const LIMITS = {
  /** Connections that are opened at once, before the storm. */
  atOnce: 50,
  broadcasts: 100,
  broadcastMs: 10_000,
  probeMs: 250,
  lookMs: 100,
  proxyConnections: 100,
  backMs: 120_000,
  /** Below what one source may have. */
  browsersPerSource: 50,
}
/** What docs/operating/scale.md says. */
const PROMISES = { channelKb: 40, browserKb: 60, broadcastP95Ms: 250, backSeconds: 60, probeP95Ms: 2_000 }

/** Thousands of dashboards and browser phones on one API and one edge process, which are killed. */
export const runSockets: Scenario = async ({ options, tell, closes }) => {
  const { values } = parseArgs({
    args: options,
    options: {
      channels: { type: 'string', default: '10000' },
      browsers: { type: 'string', default: '5000' },
      logs: { type: 'string' },
    },
  })
  const [channels, phones] = [Number(values.channels), Number(values.browsers)]
  const folder = await mkdtemp(join(tmpdir(), 'bellhop-sockets-'))
  closes.push(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o755)
  const network = await claimNetwork()
  closes.push(() => network.close())
  const at = network.address(HOSTS.postgres)
  const postgres = await startPostgres(folder, at, network.ports.service)
  closes.push(() => postgres.close())
  const companies = Math.ceil(Math.max(channels, phones) / COMPANY_SIZE)
  const people = await seedPeople(postgres.url(at), SECRET, { companies, employees: COMPANY_SIZE, phones })
  tell(`${companies} companies of ${COMPANY_SIZE} employees`)

  const broken: string[] = []
  const start = async (kind: 'api' | 'edge', environment: Record<string, string>): Promise<Role> => {
    const host = network.address(HOSTS[kind])
    const role = startRole({
      name: kind,
      kind,
      host,
      address: `${host}:${network.ports.service}`,
      folder,
      logs: values.logs,
      environment: {
        ...settingsOf(join(folder, 'data'), SECRET),
        ...outsideSettings(network),
        DATABASE_URL: postgres.url(at),
        HOST: host,
        ...environment,
      },
      onEndedByItself: ({ tail }) => broken.push(`${kind} ended by itself: ${tail.at(-1)}`),
    })
    closes.push(() => role.close())
    await role.ready
    return role
  }
  const service = String(network.ports.service)
  const edgeHost = network.address(HOSTS.edge)
  // As behind a trusted proxy: all clients have the same address here.
  const api = await start('api', { PORT: service, HTTP_CONNECTIONS_PER_ADDRESS: '25000' })
  const edge = await start('edge', {
    SIP_HOST: edgeHost,
    SIP_PORT: String(network.ports.sip),
    EDGE_HTTP_PORT: service,
  })
  tell('the API and the edge are ready')

  broken.push(...(await tryChannels({ api, people: people.slice(0, channels), tell, closes })))
  broken.push(...(await tryBrowsers({ edge, people: people.slice(0, phones), network, tell, closes })))
  return broken
}

interface Part {
  people: Person[]
  tell(line: string): void
  closes: (() => Promise<void> | void)[]
}

async function tryChannels({ api, people, tell, closes }: Part & { api: Role }): Promise<string[]> {
  const broken: string[] = []
  const reads = createReads(api)
  let received: { company: number; at: number }[] = []
  const clients = openLiveClients({
    url: `ws://${api.address}`,
    onMessage: (company) => received.push({ company, at: performance.now() }),
    onBack: reads.readAll,
  })
  closes.push(clients.close)
  const before = residentKb(api)
  await inParallel(people, (person) => clients.connect(person))
  // What was allocated only for connecting is collected by then.
  await pause(LIMITS.broadcastMs)
  const perChannel = (residentKb(api) - before) / people.length
  tell(
    `${clients.subscribed()} live channels: ${perChannel.toFixed(1)} kB each (${(before / 1_000).toFixed(0)} MB before)`,
  )
  if (perChannel > PROMISES.channelKb) broken.push(`a live channel takes ${perChannel.toFixed(1)} kB`)

  const delays: number[] = []
  const missing: number[] = []
  for (let round = 0; round < LIMITS.broadcasts; round++) {
    const companies = Math.ceil(people.length / COMPANY_SIZE)
    const company = round % companies
    const person = people[company * COMPANY_SIZE]!
    const members = people.filter((one) => one.company === company).length
    received = []
    const sentAt = performance.now()
    // Only what changes is told.
    const enabled = Math.floor(round / companies) % 2 === 0
    await reads.ask(person, `/employees/${person.id}/do_not_disturb`, {
      method: 'PUT',
      body: JSON.stringify({ enabled }),
    })
    const ours = () => received.filter((one) => one.company === company)
    while (ours().length < members && performance.now() - sentAt < LIMITS.broadcastMs) await pause(1)
    delays.push(...ours().map((one) => one.at - sentAt))
    missing.push(members - ours().length)
  }
  const p95 = quantile(delays, 0.95)
  tell(
    `a change reaches the ${COMPANY_SIZE} of a company in ${p95.toFixed(0)} ms (p95 of ${delays.length}, request included)`,
  )
  if (p95 > PROMISES.broadcastP95Ms) broken.push(`a change took ${p95.toFixed(0)} ms`)
  if (missing.some((count) => count > 0))
    broken.push(`${missing.reduce((a, b) => a + b)} messages are missing`)

  api.kill()
  const killedAt = performance.now()
  tell('killed the API')
  while (api.isUp()) await pause(LIMITS.lookMs)
  while (!api.isUp()) await pause(LIMITS.lookMs)
  const readyAt = performance.now()
  const probes = startProbes(() => reads.ask(people.at(-1)!, '/employees'))
  while (clients.subscribed() < people.length && performance.now() - readyAt < LIMITS.backMs)
    await pause(LIMITS.lookMs)
  const backSeconds = (performance.now() - readyAt) / 1_000
  tell(
    `all are back ${backSeconds.toFixed(1)} s after it was ready (${((readyAt - killedAt) / 1_000).toFixed(1)} s away); refused: ${JSON.stringify(clients.refused)}`,
  )
  await reads.settled()
  const { p95: probeP95, max } = await probes.stop()
  tell(
    `meanwhile a request took ${probeP95.toFixed(0)} ms (p95), at most ${max.toFixed(0)} ms; ${JSON.stringify(reads.counts)}`,
  )
  tell(
    `all pages have read again ${((performance.now() - readyAt) / 1_000).toFixed(1)} s after it was ready; the API has ${(residentKb(api) / 1_000).toFixed(0)} MB`,
  )
  if (clients.subscribed() < people.length)
    broken.push(`only ${clients.subscribed()} of ${people.length} clients came back`)
  if (backSeconds > PROMISES.backSeconds)
    broken.push(`the last client was back after ${backSeconds.toFixed(0)} s`)
  if (probeP95 > PROMISES.probeP95Ms)
    broken.push(`requests of others took ${probeP95.toFixed(0)} ms in the storm`)
  const failed = Object.entries(reads.counts).filter(([status]) => status !== '200')
  if (failed.length > 0) broken.push(`requests failed in the storm: ${JSON.stringify(failed)}`)
  clients.close()
  return broken
}

async function tryBrowsers({
  edge,
  people,
  network,
  tell,
  closes,
}: Part & { edge: Role; network: Awaited<ReturnType<typeof claimNetwork>> }): Promise<string[]> {
  const broken: string[] = []
  const browsers = openBrowsers({ host: edge.host, port: network.ports.service })
  closes.push(browsers.close)
  const sourceOf = (index: number) =>
    sourceAddress(network.address(0), Math.floor(index / LIMITS.browsersPerSource))
  const before = residentKb(edge)
  await inParallel([...people.entries()], ([index, person]) => browsers.register(person, sourceOf(index)))
  await pause(LIMITS.broadcastMs)
  const perBrowser = (residentKb(edge) - before) / people.length
  tell(
    `${browsers.registered()} browsers are registered: ${perBrowser.toFixed(1)} kB each (${(before / 1_000).toFixed(0)} MB before)`,
  )
  if (perBrowser > PROMISES.browserKb) broken.push(`a browser takes ${perBrowser.toFixed(1)} kB`)
  edge.kill()
  tell('killed the edge')
  while (edge.isUp()) await pause(LIMITS.lookMs)
  while (!edge.isUp()) await pause(LIMITS.lookMs)
  const readyAt = performance.now()
  while (browsers.registered() < people.length && performance.now() - readyAt < LIMITS.backMs)
    await pause(LIMITS.lookMs)
  const backSeconds = (performance.now() - readyAt) / 1_000
  tell(
    `all are registered ${backSeconds.toFixed(1)} s after it was ready; refused: ${JSON.stringify(browsers.refused)}; the edge has ${(residentKb(edge) / 1_000).toFixed(0)} MB`,
  )
  if (browsers.registered() < people.length)
    broken.push(`only ${browsers.registered()} of ${people.length} browsers came back`)
  if (backSeconds > PROMISES.backSeconds)
    broken.push(`the last browser was back after ${backSeconds.toFixed(0)} s`)
  return broken
}

/** What a dashboard reads when its channel is back. */
const PAGES = ['/inbox', '/employees', '/activity/unseen']

function createReads(api: Role) {
  const counts: Record<string, number> = {}
  let underWay = 0
  // As a reverse proxy does, which keeps a few connections.
  const dispatcher = new Agent({ connections: LIMITS.proxyConnections })
  async function ask({ key }: Person, path: string, init: RequestInit = {}): Promise<void> {
    underWay++
    let outcome: string
    try {
      const response = await fetch(`http://${api.address}/api/v1${path}`, {
        ...init,
        dispatcher,
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
      })
      await response.arrayBuffer()
      outcome = String(response.status)
    } catch (error) {
      outcome = String((error as Error).cause ?? error)
    } finally {
      underWay--
    }
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  return {
    counts,
    ask,
    readAll: (person: Person) => PAGES.forEach((path) => void ask(person, path)),
    async settled() {
      while (underWay > 0) await pause(LIMITS.lookMs)
    },
  }
}

/** Requests of somebody who has nothing to do with it, one by one. */
function startProbes(ask: () => Promise<void>) {
  const took: number[] = []
  let isOver = false
  const ended = (async () => {
    for (; !isOver; await pause(LIMITS.probeMs)) {
      const since = performance.now()
      await ask()
      took.push(performance.now() - since)
    }
  })()
  return {
    async stop() {
      isOver = true
      await ended
      return { p95: quantile(took, 0.95), max: Math.max(...took) }
    },
  }
}

async function inParallel<T>(items: T[], run: (item: T) => Promise<void>): Promise<void> {
  const left = items.values()
  const work = async () => {
    for (const item of left) await run(item)
  }
  await Promise.all(Array.from({ length: LIMITS.atOnce }, work))
}

/** 127.x.y.0 becomes an address of the networks above it, which nobody has claimed for listening. */
function sourceAddress(network: string, index: number): string {
  const [, x] = network.split('.')
  return `127.${x}.${255 - Math.floor(index / 250)}.${1 + (index % 250)}`
}

function residentKb(role: Role): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${role.pid()}/status`, 'utf8'))![1])
}

const quantile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN
