import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import { claimNetwork, HOSTS } from '../../chaos/environment/network.ts'
import {
  outsideSettings,
  settingsOf,
  type RunningBellhop,
  startRoles,
} from '../../chaos/environment/running-bellhop.ts'
import { seedCompany } from '../../chaos/environment/seed-company.ts'
import { openApi } from '../../chaos/load/api.ts'
import { openCarrier } from '../../chaos/load/carrier.ts'
import { keepUpIncomingTexts } from '../../chaos/load/incoming-texts.ts'
import { openPhones } from '../../chaos/load/phones.ts'
import { openProvider } from '../../chaos/load/provider.ts'
import { openSink } from '../../chaos/load/sink.ts'
import { openSound } from '../../chaos/load/sound.ts'
import { prepare } from '../../chaos/load/start.ts'
import { keepUpTexts } from '../../chaos/load/texts.ts'
import { seededRandom } from '../../chaos/random.ts'
import { lostWrites, settle } from '../checks.ts'
import type { Scenario } from '../run.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { placeCalls, startWrites, type Writes } from './load.ts'
import { refuseMissingPrograms } from './machine.ts'

const SECRET = 'a-secret-of-all-processes-of-the-cluster'
/** The first writes open connections, and are planned and compiled: their rate is that of no running service. */
const PACE = { textMs: 250, warmUpMs: 10_000, beforeMs: 15_000, afterMs: 20_000, writeLookMs: 20 }
/** The service writes again this soon after the promotion. */
const LIMITS = { writesAgainMs: 2_000, waitMs: 60_000 }

/** The primary of the database dies while calls are up, and writes, texts and webhooks flow. */
export const runFailover: Scenario = async ({ options, tell, closes }) => {
  const { values } = parseArgs({
    args: options,
    options: {
      calls: { type: 'string', default: '50' },
      writes: { type: 'string', default: '200' },
      pgbouncer: { type: 'boolean', default: false },
      logs: { type: 'string' },
    },
  })
  refuseMissingPrograms()
  const broken: string[] = []
  const { stage, cluster, provider, sink } = await openStage({ ...values, closes, broken, tell })
  const chance = seededRandom(1)
  const api = openApi(stage.rolesOf('api'), chance.stream('api'))
  const sound = openSound(stage.network.address(HOSTS.carrier))
  closes.push(sound.close)
  const carrier = await openCarrier(stage, chance.stream('carrier'), sound)
  closes.push(carrier.close)
  const phones = await openPhones(stage, sound)
  closes.push(phones.close)
  await prepare(stage, api, sink, phones)
  const calls = await placeCalls(stage, carrier, phones)
  tell(`${calls.count} calls are up`)

  const partsFor = (name: string) => ({ stage, api, chance: chance.stream(name) })
  const writes = startWrites(stage, api, Number(values.writes))
  const texts = keepUpTexts(partsFor('texts'), PACE.textMs)
  const incomingTexts = keepUpIncomingTexts(partsFor('incoming texts'), provider)
  await pause(PACE.warmUpMs)
  const since = performance.now()
  await pause(PACE.beforeMs)
  tell(`${writes.rateSince(since).toFixed(0)} writes a second, ${writes.unanswered.size} unanswered`)
  broken.push(...(await failOver(cluster, writes, tell)))
  await pause(PACE.afterMs)

  await Promise.all([writes.stop(), texts.stop(), incomingTexts.stop()])
  broken.push(...calls.broken(), ...writes.unexpected.slice(0, 5), ...(await lostWrites(stage, writes)))
  tell(`the longest silence in a call: ${calls.longestSilenceMs().toFixed(0)} ms`)
  tell(`the longest time in which this script itself stood still: ${calls.stallMs().toFixed(0)} ms`)
  tell(`${writes.acknowledged.size} writes acknowledged, ${writes.unanswered.size} not`)
  await calls.end()

  const books = {
    texts: texts.book,
    incomingTexts: incomingTexts.book,
    webhooks: { checkedTo: '00000000-0000-0000-0000-000000000000', checked: 0, lost: [] },
    calls: { placed: calls.count },
  }
  broken.push(...(await settle({ stage, provider, sink, books }, tell)))
  return broken
}

interface StageOptions {
  calls: string
  pgbouncer: boolean
  logs?: string | undefined
  closes: (() => Promise<void> | void)[]
  broken: string[]
  tell(line: string): void
}

async function openStage({ calls, pgbouncer, logs, closes, broken, tell }: StageOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'bellhop-cluster-'))
  closes.push(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o755)
  if (logs) await mkdir(logs, { recursive: true })
  const network = await claimNetwork()
  closes.push(() => network.close())
  const cluster = await startCluster(logs ?? folder, network, closes)
  await cluster.untilReplicated()
  tell('Patroni has a primary and a synchronous standby')
  // The voice of this language costs least.
  const company = await seedCompany(cluster.url, SECRET, { calls: Number(calls), language: 'da' })
  const provider = await openProvider(network)
  closes.push(provider.close)
  const sink = await openSink(network)
  closes.push(sink.close)
  const roles = await startRoles({
    closes,
    logs,
    folder,
    network,
    environment: {
      ...settingsOf(join(folder, 'data'), SECRET),
      ...outsideSettings(network),
      ...provider.environment,
      ...(pgbouncer
        ? { DATABASE_URL: cluster.pooledUrl, DATABASE_DIRECT_URL: cluster.url }
        : { DATABASE_URL: cluster.url }),
    },
    onEndedByItself: (role, { tail }) => broken.push(`${role} ended by itself: ${tail.at(-1)}`),
  })
  tell('all processes of Bellhop are ready')
  const stage: RunningBellhop = { network, postgres: cluster, company, ...roles }
  return { stage, cluster, provider, sink }
}

async function failOver(cluster: Cluster, writes: Writes, tell: (line: string) => void): Promise<string[]> {
  const [primary, standby] = [await cluster.primary(), await cluster.standby()]
  const promotion = cluster.promoted(standby)
  const killedAt = performance.now()
  primary.kill()
  tell(`killed ${primary.name}`)
  const promotedAt = await promotion
  tell(`${standby.name} is the new primary, ${(promotedAt - killedAt).toFixed(0)} ms after that`)
  const hasTime = () => performance.now() - promotedAt < LIMITS.waitMs
  const isWaiting = () => writes.firstAfter(promotedAt).includes(undefined)
  while (hasTime() && isWaiting()) await pause(PACE.writeLookMs)
  return writes.firstAfter(promotedAt).flatMap((at, index) => {
    const name = `API process ${index + 1}`
    if (at === undefined) return [`${name} never wrote again`]
    const afterMs = at - promotedAt
    tell(`${name} writes again ${afterMs.toFixed(0)} ms after the promotion`)
    return afterMs > LIMITS.writesAgainMs ? [`${name} wrote again only after ${afterMs.toFixed(0)} ms`] : []
  })
}
