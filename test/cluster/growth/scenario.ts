import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { claimNetwork, HOSTS, type Network } from '../../chaos/environment/network.ts'
import { startRole } from '../../chaos/environment/role.ts'
import { settingsOf } from '../../chaos/environment/running-bellhop.ts'
import type { Scenario } from '../run.ts'
import { type Comparison, growthOf, isOver, lineOf } from './costs.ts'
import { type FilledServer, startFilledServer } from './database.ts'
import type { Size } from './fill/series.ts'
import { compareLists, compareWorks, openSide, type Side } from './measure.ts'
import { prepare } from './prepare.ts'

const SECRET = 'a-secret-of-all-processes-of-the-cluster'
/** How long a migration may lock a big table. */
const LOCK_MS = 200

/**
 * Fills one database with many companies, calls, texts and events, and another with a part of them, and compares
 * what lists, writes and the work of workers cost in both. Fails if a list costs more than 1.5 times as much, or if a
 * migration locks a big table.
 */
export const runGrowth: Scenario = async ({ options, tell, closes }) => {
  const { values } = parseArgs({
    args: options,
    options: {
      companies: { type: 'string', default: '1000' },
      calls: { type: 'string', default: '1000000' },
      messages: { type: 'string', default: '2500000' },
      events: { type: 'string', default: '2500000' },
      part: { type: 'string', default: '0.1' },
      folder: { type: 'string' },
      detail: { type: 'boolean', default: false },
    },
  })
  const full: Size = {
    companies: Number(values.companies),
    calls: Number(values.calls),
    messages: Number(values.messages),
    events: Number(values.events),
  }
  const part = (count: number) => Math.ceil(count * Number(values.part))
  const small = { ...full, calls: part(full.calls), messages: part(full.messages), events: part(full.events) }
  const folder = values.folder ?? (await mkdtemp(join(tmpdir(), 'bellhop-growth-')))
  if (!values.folder) closes.push(() => rm(folder, { recursive: true, force: true }))
  const server = await startFilledServer(folder)
  closes.push(() => server.close())
  const broken: string[] = []
  for (const size of [small, full]) {
    const name = databaseOf(size)
    const { locks, applied, ms, lookEveryMs } = await prepare(server, name, size, tell)
    if (applied.length === 0) continue
    tell(
      `${name}: ${applied.length} migrations in ${(ms / 1_000).toFixed(1)} s, seen every ${lookEveryMs.toFixed(1)} ms`,
    )
    for (const lock of locks) {
      tell(`  ${lock.table} ${lock.mode}: ${lock.ms.toFixed(0)} ms`)
      if (lock.ms > LOCK_MS)
        broken.push(`a migration held ${lock.mode} on ${lock.table} for ${lock.ms.toFixed(0)} ms`)
    }
  }

  const network = await claimNetwork()
  closes.push(() => network.close())
  const open = async (size: Size, index: number): Promise<Side> => {
    const api = await startApi(server, databaseOf(size), index, { folder, network, closes })
    return openSide(server, databaseOf(size), api, SECRET, closes)
  }
  const sides = { small: await open(small, 0), full: await open(full, 1) }
  tell('the APIs are ready')
  for await (const compared of eachOf(compareLists(sides), compareWorks(sides, SECRET))) {
    tell(lineOf(compared))
    if (isOver(compared)) broken.push(`${compared.what} costs ${growthOf(compared).toFixed(1)} times as much`)
    if (values.detail || isOver(compared))
      for (const { query, pages } of compared.full.statements.slice(0, 2))
        tell(`    ${pages.toFixed(0)} pages: ${query.slice(0, 300)}`)
  }
  return broken
}

/** A folder may hold several, which are filled once. */
const databaseOf = ({ calls }: Size) => `calls_${calls}`

async function* eachOf(...sources: AsyncIterable<Comparison>[]) {
  for (const source of sources) yield* source
}

async function startApi(
  server: FilledServer,
  name: string,
  index: number,
  { folder, network, closes }: { folder: string; network: Network; closes: (() => Promise<void> | void)[] },
): Promise<string> {
  const host = network.address(HOSTS.api + index)
  const address = `${host}:${network.ports.service}`
  const role = startRole({
    name,
    kind: 'api',
    host,
    address,
    folder,
    logs: undefined,
    environment: {
      ...settingsOf(join(folder, 'data'), SECRET),
      DATABASE_URL: server.url(name),
      // The plans of one connection are those that count.
      DATABASE_POOL_SIZE: '1',
      BELLHOP_BASE_URL: `http://${address}`,
      HOST: host,
      PORT: String(network.ports.service),
    },
    onEndedByItself: ({ tail }) => {
      throw new Error(`the API ended by itself: ${tail.join('\n')}`)
    },
  })
  closes.push(() => role.close())
  await role.ready
  return address
}
