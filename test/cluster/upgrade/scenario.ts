import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'

import { packageRoot } from '../../../server/platform/package-root.ts'
import { claimNetwork, HOSTS, type Network } from '../../chaos/environment/network.ts'
import { startPostgres } from '../../chaos/environment/postgres.ts'
import type { Role } from '../../chaos/environment/role.ts'
import {
  outsideSettings,
  type RunningBellhop,
  settingsOf,
  startRoles,
} from '../../chaos/environment/running-bellhop.ts'
import { seedCompany } from '../../chaos/environment/seed-company.ts'
import { type Api, openApi } from '../../chaos/load/api.ts'
import { openCarrier } from '../../chaos/load/carrier.ts'
import { keepUpIncomingTexts } from '../../chaos/load/incoming-texts.ts'
import { keepUp } from '../../chaos/load/load.ts'
import { openPhones } from '../../chaos/load/phones.ts'
import { openProvider } from '../../chaos/load/provider.ts'
import { openSink } from '../../chaos/load/sink.ts'
import { openSound } from '../../chaos/load/sound.ts'
import { prepare } from '../../chaos/load/start.ts'
import { keepUpTexts } from '../../chaos/load/texts.ts'
import { seededRandom } from '../../chaos/random.ts'
import { lostWrites, settle } from '../checks.ts'
import { placeCalls, startWrites } from '../failover/load.ts'
import type { Scenario } from '../run.ts'
import { keepUpShortCalls } from './short-calls.ts'

const SECRET = 'a-secret-of-all-processes-of-the-upgrade'
const PACE = { textMs: 500, phaseMs: 10_000, lookMs: 500 }
const DRAIN_SECONDS = 60
/** A call at the limit ends this soon after it; a process without calls exits this soon. */
const LIMITS = { lateMs: 15_000, exitMs: 60_000 }
const OF_EACH_KIND = 2

/** A release is replaced by this one, process by process, while calls are up, and writes, texts and webhooks flow. */
export const runUpgrade: Scenario = async ({ options, tell, closes }) => {
  const { values } = parseArgs({
    args: options,
    options: {
      /** Where the version before is built. */
      old: { type: 'string' },
      calls: { type: 'string', default: '6' },
      writes: { type: 'string', default: '20' },
      logs: { type: 'string' },
    },
  })
  if (!values.old) throw new Error('--old FOLDER is missing: test/upgrade/run builds one')
  const broken: string[] = []
  const longCalls = Number(values.calls)
  const { network, stage, start, sink, provider } = await openStage({
    ...values,
    old: values.old,
    longCalls,
    closes,
    broken,
    tell,
  })
  const { api, failures } = counting(openApi(stage.rolesOf('api'), seededRandom(1).stream('api')))
  const chance = seededRandom(2)
  const sound = openSound(network.address(HOSTS.carrier))
  closes.push(sound.close)
  const reachable = { ...stage, rolesOf: () => edgeHosts(network).map((host) => ({ host }) as Role) }
  const carrier = await openCarrier(reachable, chance.stream('carrier'), sound)
  closes.push(carrier.close)
  const phones = await openPhones(reachable, sound)
  closes.push(phones.close)
  await prepare(stage, api, sink, phones)

  const { lines, desks } = stage.company
  const withLines = (from: number, to: number): RunningBellhop => ({
    ...stage,
    company: { ...stage.company, lines: lines.slice(from, to), desks: desks.slice(from, to) },
  })
  const calls = await placeCalls(withLines(0, longCalls), carrier, phones)
  // It goes on for as long as its edge lets it.
  const last = await placeCalls(withLines(longCalls, longCalls + 1), carrier, phones)
  tell(`${calls.count + last.count} calls are up on the old edges`)
  const [lastLeg] = [...carrier.legs].slice(-1)

  const upEdges = new Set([0, 1])
  const rest = lines.map((_, index) => index).slice(longCalls + 1)
  const atLimit = new Set<string | undefined>()
  const shortCalls = keepUpShortCalls({
    stage,
    carrier,
    phones,
    lines: rest,
    edges: () => [...upEdges],
    isAtLimit: (edge) => atLimit.has(edge),
  })
  const partsFor = (name: string) => ({ stage, api, chance: chance.stream(name) })
  const writes = startWrites(stage, api, Number(values.writes))
  const texts = keepUpTexts(partsFor('texts'), PACE.textMs)
  const incomingTexts = keepUpIncomingTexts(partsFor('incoming texts'), provider)
  await pause(PACE.phaseMs)
  tell(`before the upgrade: ${writes.acknowledged.size} writes, ${shortCalls.book.talked} new calls`)

  const old = [...stage.roles]
  const ofOld = (kind: Role['kind']) => old.filter((role) => role.kind === kind)
  const readiness = watchReadiness(old)
  await start()
  tell('all processes of the new version are ready; they have migrated the database, and the old ones run on')
  upEdges.add(2).add(3)
  const inRotation = stage.rolesOf('api')
  await pause(PACE.phaseMs)
  tell(`both versions: ${writes.acknowledged.size} writes, ${shortCalls.book.talked} new calls`)

  for (const role of ofOld('api')) {
    // A load balancer no longer chooses it; requests that it has are finished.
    inRotation.splice(inRotation.indexOf(role), 1)
    broken.push(...(await leave(role, readiness, tell)))
  }
  for (const role of ofOld('worker')) broken.push(...(await leave(role, readiness, tell)))
  const [first, second] = ofOld('edge') as [Role, Role]
  const drainedSince = performance.now()
  const firstGone = leave(first, readiness, tell, DRAIN_SECONDS * 1_000).then((sentences) => {
    upEdges.delete(0)
    return sentences
  })
  tell(`${first.name} drains`)
  await pause(PACE.phaseMs)
  const secondGone = leave(second, readiness, tell, DRAIN_SECONDS * 1_000).then((sentences) => {
    upEdges.delete(1)
    return sentences
  })
  tell(`${second.name} drains`)
  await pause(PACE.phaseMs)
  broken.push(...calls.broken())
  tell(
    `${calls.count} calls went on while their edges drained; the longest silence was ${calls.longestSilenceMs().toFixed(0)} ms`,
  )
  tell(`the longest time in which this script itself stood still: ${calls.stallMs().toFixed(0)} ms`)
  await calls.end()
  tell('they have hung up')
  await lastLeg!.ended
  atLimit.add(first.host)
  const lastMs = performance.now() - drainedSince
  tell(`the last call was ended after ${(lastMs / 1_000).toFixed(1)} s, the limit being ${DRAIN_SECONDS} s`)
  if (lastMs < DRAIN_SECONDS * 1_000 || lastMs > DRAIN_SECONDS * 1_000 + LIMITS.lateMs)
    broken.push(`the last call ended after ${lastMs.toFixed(0)} ms`)
  await last.end()
  broken.push(...(await firstGone), ...(await secondGone), ...(await readiness.stop()))
  await pause(PACE.phaseMs)

  await Promise.all([writes.stop(), texts.stop(), incomingTexts.stop(), shortCalls.stop()])
  const { book } = shortCalls
  broken.push(...book.broken, ...failures.slice(0, 5), ...writes.unexpected.slice(0, 5))
  broken.push(...(await lostWrites(stage, writes)))
  tell(`${writes.acknowledged.size} writes acknowledged, ${failures.length} requests failed`)
  tell(
    `${book.placed} new calls, ${book.talked} talked; accepted after at most ${most(book.connectMs)} ms, answered after at most ${most(book.answerMs)} ms`,
  )
  tell(`${book.endedAtLimit} of them were relayed by an edge at its limit, which ended them`)
  const books = {
    texts: texts.book,
    incomingTexts: incomingTexts.book,
    webhooks: { checkedTo: '00000000-0000-0000-0000-000000000000', checked: 0, lost: [] },
    calls: { placed: calls.count + last.count + book.placed },
  }
  broken.push(...(await settle({ stage, provider, sink, books }, tell)))
  tell(`${sink.repeats()} webhooks came again after they were acknowledged`)
  return broken
}

interface StageOptions {
  old: string
  longCalls: number
  logs?: string | undefined
  closes: (() => Promise<void> | void)[]
  broken: string[]
  tell(line: string): void
}

/** The old version runs; `start` starts the new one beside it. */
async function openStage({ old, longCalls, logs, closes, broken, tell }: StageOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'bellhop-upgrade-'))
  closes.push(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o755)
  if (logs) await mkdir(logs, { recursive: true })
  const network = await claimNetwork()
  closes.push(() => network.close())
  const host = network.address(HOSTS.postgres)
  const postgres = await startPostgres(folder, host, network.ports.service)
  closes.push(() => postgres.close())
  const provider = await openProvider(network)
  closes.push(provider.close)
  const sink = await openSink(network)
  closes.push(sink.close)
  const environment = {
    ...settingsOf(join(folder, 'data'), SECRET),
    ...outsideSettings(network),
    ...provider.environment,
    DATABASE_URL: postgres.url(host),
    DATABASE_POOL_SIZE: '5',
    EDGE_DRAIN_SECONDS: String(DRAIN_SECONDS),
  }
  await promisify(execFile)(process.execPath, [join(old, 'dist/bin/bellhop.js'), 'migrate'], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...environment },
  })
  // The voice of this language costs least.
  const company = await seedCompany(postgres.url(host), SECRET, {
    calls: longCalls + 4,
    language: 'da',
    isMigrated: true,
  })
  const parts = {
    closes,
    logs,
    folder,
    network,
    environment,
    onEndedByItself: (role: string, { tail }: { tail: string[] }) =>
      void broken.push(`${role} ended by itself: ${tail.at(-1)}`),
  }
  const { roles } = await startRoles({ ...parts, root: old, version: 'old' })
  tell('all processes of the old version are ready')
  const rotation = roles.filter((role) => role.kind === 'api')
  const stage: RunningBellhop = {
    network,
    postgres,
    company,
    roles,
    rolesOf: (kind) => (kind === 'api' ? rotation : roles.filter((role) => role.kind === kind)),
  }
  async function start(): Promise<void> {
    const added = (await migrationsOf(packageRoot)).slice((await migrationsOf(old)).length)
    tell(`the new version adds ${added.length} migrations${added.length > 0 ? `: ${added.join(', ')}` : ''}`)
    const begun = await startRoles({ ...parts, version: 'new', after: OF_EACH_KIND })
    roles.push(...begun.roles)
    rotation.push(...begun.rolesOf('api'))
  }
  return { network, stage, start, sink, provider }
}

const migrationsOf = async (root: string) =>
  (await readdir(join(root, 'db/migrations')))
    .filter((name) => name.endsWith('.sql'))
    .toSorted((a, b) => a.localeCompare(b))

/** Two of the old version, and two of the new one. */
const edgeHosts = (network: Network) =>
  Array.from({ length: 2 * OF_EACH_KIND }, (_, index) => network.address(HOSTS.edge + index))

/** Of each request that got no response, or a 5xx. */
function counting(inner: Api): { api: Api; failures: string[] } {
  const failures: string[] = []
  const noted = <T extends Awaited<ReturnType<Api['send']>>>(what: string, outcome: T): T => {
    if (outcome.is === 'unknown') failures.push(`${what} failed: ${outcome.why}`)
    return outcome
  }
  const api: Api = {
    send: async (path, ...more) => noted(path, await inner.send(path, ...more)),
    ask: async (key, method, path, ...more) =>
      noted(`${method} ${path}`, await inner.ask(key, method, path, ...more)),
  }
  return { api, failures }
}

/** The old processes with HTTP say that they can serve until they are told to stop. */
function watchReadiness(roles: Role[]) {
  const watched = new Set(roles.filter((role) => role.kind !== 'worker'))
  const broken = new Set<string>()
  const stop = keepUp(PACE.lookMs, async () => {
    for (const role of watched) {
      const answer = await fetch(`http://${role.address}/readyz`).catch((error: Error) => error)
      const isReady = answer instanceof Response && answer.status === 200
      if (!isReady && watched.has(role))
        broken.add(
          `/readyz of ${role.name}: ${answer instanceof Response ? await answer.text() : answer.message}`,
        )
    }
  })
  return {
    forget: (role: Role) => watched.delete(role),
    async stop(): Promise<string[]> {
      await stop()
      return [...broken]
    },
  }
}

async function leave(
  role: Role,
  readiness: ReturnType<typeof watchReadiness>,
  tell: (line: string) => void,
  allowedMs = 0,
): Promise<string[]> {
  readiness.forget(role)
  const since = performance.now()
  const code = await role.leave()
  const ms = performance.now() - since
  tell(`${role.name} has stopped after ${(ms / 1_000).toFixed(1)} s, with status ${code}`)
  if (code !== 0) return [`${role.name} ended with status ${code}`]
  return ms > allowedMs + LIMITS.exitMs ? [`${role.name} took ${ms.toFixed(0)} ms to stop`] : []
}

const most = (list: number[]) => Math.max(0, ...list).toFixed(0)
