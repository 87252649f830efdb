import { setTimeout as pause } from 'node:timers/promises'

import type { CampaignState } from './campaign-state.ts'
import { openEnvironment } from './environment/environment.ts'
import { HOSTS } from './environment/network.ts'
import { outsideSettings } from './environment/running-bellhop.ts'
import { drawFaults, type DrawnFaults, noFaultsYet } from './faults/draw.ts'
import { FAULTS } from './faults/index.ts'
import { INVARIANTS } from './invariants/index.ts'
import type { Finding, Invariant } from './invariants/invariant.ts'
import { presenceTrue } from './invariants/presence-true.ts'
import { sweepWebhooks } from './invariants/webhooks-delivered.ts'
import { isDone, openApi } from './load/api.ts'
import { openCarrier } from './load/carrier.ts'
import { openLiveClients } from './load/live-clients.ts'
import { openPhones } from './load/phones.ts'
import { openProvider, type Provider } from './load/provider.ts'
import { openSink } from './load/sink.ts'
import { openSound } from './load/sound.ts'
import { prepare, startLoad } from './load/start.ts'
import type { CampaignOptions } from './options.ts'
import { seededRandom } from './random.ts'
import { progressOf } from './report.ts'

const PACE = { memoryMs: 5_000, sweepMs: 60_000, sweepSeconds: 120, progressMs: 30_000, lookMs: 2_000 }
/** A start that a fault prevented is no failure, nor is one this long after the fault. */
const LIMITS = { settleMs: 240_000, presenceMs: 120_000, graceMs: 15_000, workMs: 120_000 }

export interface CampaignResult {
  findings: (Finding & { name: string })[]
  drawn: DrawnFaults
  world: CampaignState
  settledSeconds: number
}

interface CampaignParts extends CampaignOptions {
  /** Ends it early: nothing is checked, and everything is shut down. */
  signal: AbortSignal
  tell(line: string): void
}

/** Starts everything, injects faults for a time, lets it settle and checks every invariant. */
export async function runCampaign(parts: CampaignParts): Promise<CampaignResult> {
  const closes: (() => Promise<void> | void)[] = []
  try {
    return await run(parts, closes)
  } finally {
    for (const close of closes.toReversed())
      await Promise.resolve(close()).catch((error: Error) =>
        parts.tell(`could not clean up: ${error.message}`),
      )
  }
}

async function run(parts: CampaignParts, closes: (() => Promise<void> | void)[]): Promise<CampaignResult> {
  const { minutes, seed, signal, tell } = parts
  const chance = seededRandom(seed)
  const drawn = noFaultsYet()
  const { world, stopLoad } = await setUp(parts, closes, drawn)
  const faults = chosenFaults(parts, world)
  tell(`faults to draw from: ${faults.map(({ name }) => name).join(', ')}`)

  signal.throwIfAborted()
  const over = new AbortController()
  const end = () => over.abort()
  signal.addEventListener('abort', end)
  const timer = setTimeout(end, minutes * 60_000)
  closes.push(() => clearTimeout(timer))
  const stopWatching = watch(world, drawn, tell)
  closes.push(stopWatching)
  if (faults.length > 0)
    await drawFaults({ world, faults, chance: chance.stream('faults'), drawn, signal: over.signal, tell })
  else await pause(minutes * 60_000, undefined, { signal: over.signal }).catch(() => {})
  signal.throwIfAborted()

  tell('no more faults')
  await untilEverythingWasDone(world, signal)
  tell('everybody hangs up')
  await stopLoad()
  const since = performance.now()
  const findings = await settle(world, signal, tell)
  return { findings, drawn, world, settledSeconds: (performance.now() - since) / 1_000 }
}

/** On a slow machine faults and recoveries may take all of the time, and nothing would be checked. */
async function untilEverythingWasDone({ books }: CampaignState, signal: AbortSignal): Promise<void> {
  const { contacts, texts, calls } = books
  const end = performance.now() + LIMITS.workMs
  const wasDone = () => [contacts.acknowledged, texts.asked, calls.talked].every((count) => count > 0)
  while (!wasDone() && performance.now() < end) await pause(PACE.lookMs, undefined, { signal })
}

async function setUp(
  { seed, logs, signal, tell }: CampaignParts,
  closes: (() => Promise<void> | void)[],
  drawn: DrawnFaults,
) {
  const chance = seededRandom(seed)
  const endedByThemselves: string[] = []
  let provider: Provider | undefined
  const stage = await openEnvironment({
    closes,
    logs,
    async environment(network) {
      provider = await openProvider(network)
      closes.push(provider.close)
      return { ...provider.environment, ...outsideSettings(network) }
    },
    onEndedByItself(role, { isReady, code, signal: by, tail }) {
      const isExcused = !isReady && (drawn.on > 0 || performance.now() - drawn.overAt < LIMITS.graceMs)
      const how = `${role} ended ${isReady ? 'by itself' : 'before it was ready'} (${by ?? code})`
      tell(`${how}${isExcused ? ', and is started again' : `: ${tail.slice(-3).join(' ')}`}`)
      if (!isExcused) endedByThemselves.push(`${how}: ${tail.at(-1) ?? 'it said nothing'}`)
    },
  })
  const sink = await openSink(stage.network)
  closes.push(sink.close)
  signal.throwIfAborted()
  const api = openApi(stage.rolesOf('api'), chance.stream('api'))
  const sound = openSound(stage.network.address(HOSTS.carrier))
  closes.push(sound.close)
  const carrier = await openCarrier(stage, chance.stream('carrier'), sound)
  closes.push(carrier.close)
  const phones = await openPhones(stage, sound)
  closes.push(phones.close)
  await prepare(stage, api, sink, phones)
  const live = openLiveClients({ stage, api, chance })
  closes.push(() => live.forEach((client) => client.close()))
  const outside = { provider: provider!, sink, carrier, phones }
  const { books, stop } = startLoad({ stage, api, chance, ...outside })
  closes.push(stop)
  const world: CampaignState = { stage, ...outside, live, api, chance, books, endedByThemselves }
  return { world, stopLoad: stop }
}

/** Faults that are not possible on this machine are named, and left out. */
function chosenFaults({ faults: names, tell }: CampaignParts, world: CampaignState) {
  if (names?.[0] === 'none') return []
  const unknown = names?.filter((name) => !FAULTS.some((fault) => fault.name === name)) ?? []
  if (unknown.length > 0) throw new Error(`there is no fault ${unknown.join(', ')}`)
  return FAULTS.filter((fault) => {
    if (names && !names.includes(fault.name)) return false
    const why = fault.missing?.(world)
    if (why) tell(`left out: ${fault.name}: ${why}`)
    return !why
  })
}

/** Records memory, compares webhooks and reports progress, from time to time. */
function watch(world: CampaignState, drawn: DrawnFaults, tell: (line: string) => void): () => void {
  const timers = [
    setInterval(() => {
      for (const role of world.stage.roles) role.sampleMemory().catch(() => {})
    }, PACE.memoryMs),
    setInterval(() => {
      const sql = world.stage.postgres.connect()
      sweepWebhooks(world, sql, PACE.sweepSeconds)
        .catch(() => {})
        .finally(() => sql.end())
        .catch(() => {})
    }, PACE.sweepMs),
    setInterval(() => tell(progressOf(world, drawn)), PACE.progressMs),
  ]
  return () => timers.forEach((timer) => clearInterval(timer))
}

/** Everything has this long to settle; an invariant that holds by then, holds. */
async function settle(world: CampaignState, signal: AbortSignal, tell: (line: string) => void) {
  const since = performance.now()
  const hasTime = (ms: number) => performance.now() - since < ms && !signal.aborted
  let told = ''
  const tellOnce = (line: string) => {
    if (line !== told) tell(line)
    told = line
  }

  const { id, key } = world.stage.company.shy
  const { doNotDisturb } = world.books
  const switchOn = () => world.api.ask(key, 'PUT', `/employees/${id}/do_not_disturb`, { enabled: true })
  while (hasTime(LIMITS.presenceMs) && !isDone(await switchOn())) await pause(PACE.lookMs)
  doNotDisturb.enabled = true
  // Nobody can be called before their phone is registered again.
  while (hasTime(LIMITS.presenceMs)) {
    const { broken } = await checked(presenceTrue, world)
    if (broken.length === 0) break
    tellOnce(`settling: ${broken[0]}`)
    await pause(PACE.lookMs)
  }
  for (;;) {
    const findings = []
    for (const promise of INVARIANTS) findings.push({ ...promise, ...(await checked(promise, world)) })
    const broken = findings.filter((finding) => finding.broken.length > 0)
    signal.throwIfAborted()
    if (!hasTime(LIMITS.settleMs) || broken.every(({ isFinal }) => isFinal)) return findings
    tellOnce(`settling: ${broken.map(({ name, broken }) => `${name}: ${broken.length}`).join('; ')}`)
    await pause(PACE.lookMs)
  }
}

/** An invariant that cannot be checked does not hold. */
const checked = (promise: Invariant, world: CampaignState): Promise<Finding> =>
  promise
    .check(world)
    .catch((error: Error) => ({ checked: 0, broken: [`could not be checked: ${error.message}`] }))
