import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import { HOSTS } from '../../chaos/environment/network.ts'
import type { Role } from '../../chaos/environment/role.ts'
import type { RunningBellhop } from '../../chaos/environment/running-bellhop.ts'
import { callsOver } from '../../chaos/invariants/calls-over.ts'
import { openApi } from '../../chaos/load/api.ts'
import { type Carrier, openCarrier } from '../../chaos/load/carrier.ts'
import { openPhones, type Phones } from '../../chaos/load/phones.ts'
import { openSound } from '../../chaos/load/sound.ts'
import { prepare } from '../../chaos/load/start.ts'
import { seededRandom } from '../../chaos/random.ts'
import { placeCalls } from '../failover/load.ts'
import type { Scenario } from '../run.ts'
import { keepUpShortCalls } from '../upgrade/short-calls.ts'
import { DRAIN_SECONDS, openStage, type Stage } from './cluster.ts'

const PACE = { phaseMs: 10_000, lookMs: 250 }
/** A call at the limit ends this soon after it; an edge without calls exits this soon. */
const LIMITS = { lateMs: 15_000, exitMs: 30_000, takenInMs: 30_000, settleMs: 60_000, callTries: 20 }
/** Lines for calls that come and go meanwhile. */
const SHORT_LINES = 4

/** Every edge behind Kamailio is replaced, one after the other, while calls are up and new ones begin. */
export const runProxy: Scenario = async ({ options, tell, closes }) => {
  const { values } = parseArgs({
    args: options,
    options: { calls: { type: 'string', default: '6' }, logs: { type: 'string' } },
  })
  const broken: string[] = []
  const longCalls = Number(values.calls)
  // One more is kept until the limit.
  const lineCount = longCalls + 1 + SHORT_LINES
  const { stage, front, sink } = await openStage({ logs: values.logs, lines: lineCount, closes, broken })
  tell('all processes are ready, and Kamailio is in front of the edges')
  const chance = seededRandom(1)
  const api = openApi(stage.rolesOf('api'), chance.stream('api'))
  const sound = openSound(stage.network.address(HOSTS.carrier))
  closes.push(sound.close)
  // All that the carrier and the phones know is the front: what it refuses is refused.
  const outside = { ...stage, rolesOf: () => [{ host: stage.network.address(HOSTS.front) } as Role] }
  const opened = await openCarrier(outside, chance.stream('carrier'), sound)
  const carrier: Carrier = { ...opened, dial: (number) => opened.dial(number, 0) }
  closes.push(carrier.close)
  const phones = await openPhones(outside, sound)
  closes.push(phones.close)
  await prepare(stage, api, sink, phones)

  const shortCalls = keepUpShortCalls({
    stage,
    carrier,
    phones,
    lines: stage.company.lines.map((_, index) => index).slice(longCalls + 1),
    edges: () => [0],
    isAtLimit: () => false,
  })
  await pause(PACE.phaseMs)
  let placed = 0
  for (const edge of stage.rolesOf('edge')) {
    const parts = { stage, front, edge, carrier, phones, longCalls, tell }
    const round = await replaceEdge(parts)
    placed += round.placed
    broken.push(...round.broken)
  }
  await pause(PACE.phaseMs)
  await shortCalls.stop()
  const { book } = shortCalls
  broken.push(...book.broken)
  tell(
    `${book.placed} new calls, ${book.talked} talked; accepted after at most ${most(book.connectMs)} ms, answered after at most ${most(book.answerMs)} ms`,
  )
  const killed = stage.rolesOf('edge')[0]!
  killed.kill()
  const calls = await placeCalls(withLines(stage, 0, longCalls), carrier, phones)
  tell(`${killed.name} was killed, and ${calls.count} calls that began then are up`)
  await calls.end()
  broken.push(...(await settled(stage, placed + book.placed + calls.count)))
  return broken
}

function withLines(stage: RunningBellhop, from: number, to: number): RunningBellhop {
  const { lines, desks } = stage.company
  return {
    ...stage,
    company: { ...stage.company, lines: lines.slice(from, to), desks: desks.slice(from, to) },
  }
}

interface Round {
  stage: RunningBellhop
  front: Stage['front']
  edge: Role
  carrier: Carrier
  phones: Phones
  longCalls: number
  tell(line: string): void
}

/** As an operator does it: stop one, start its successor at the same address, and wait until it is used. */
async function replaceEdge({ stage, front, edge, carrier, phones, longCalls, tell }: Round) {
  const broken: string[] = []
  const calls = await placeCalls(withLines(stage, 0, longCalls), carrier, phones)
  const here = calls.customers.filter((leg) => leg.edge() === edge.host).length
  const last = await placeAt(edge, () =>
    placeCalls(withLines(stage, longCalls, longCalls + 1), carrier, phones),
  )
  tell(`${calls.count + 1} calls are up, of which ${here + 1} are at ${edge.name}, which drains now`)
  const since = performance.now()
  const left = edge.leave()
  await pause(PACE.phaseMs)
  broken.push(...calls.broken(), ...last.calls.broken())
  tell(
    `${calls.count + 1} calls went on; the longest silence was ${calls.longestSilenceMs().toFixed(0)} ms, and this script stood still for ${calls.stallMs().toFixed(0)} ms at most`,
  )
  await calls.end()
  await last.leg.ended
  const lastMs = performance.now() - since
  tell(`the last call was ended after ${(lastMs / 1_000).toFixed(1)} s, the limit being ${DRAIN_SECONDS} s`)
  if (lastMs < DRAIN_SECONDS * 1_000 || lastMs > DRAIN_SECONDS * 1_000 + LIMITS.lateMs)
    broken.push(`the last call at ${edge.name} ended after ${lastMs.toFixed(0)} ms`)
  await last.calls.end()
  const code = await left
  const leftMs = performance.now() - since
  tell(`${edge.name} has stopped after ${(leftMs / 1_000).toFixed(1)} s, with status ${code}`)
  if (code !== 0) broken.push(`${edge.name} ended with status ${code}`)
  if (leftMs > DRAIN_SECONDS * 1_000 + LIMITS.exitMs)
    broken.push(`${edge.name} took ${leftMs.toFixed(0)} ms to stop`)
  await edge.comeBack()
  const readyAt = performance.now()
  while (!(await front.sendsTo(`${edge.host}:${stage.network.ports.sip}`))) {
    if (performance.now() - readyAt > LIMITS.takenInMs)
      throw new Error(`Kamailio does not use ${edge.name} again`)
    await pause(PACE.lookMs)
  }
  tell(`its successor is used ${((performance.now() - readyAt) / 1_000).toFixed(1)} s after it was ready`)
  return { placed: calls.count + last.tries, broken }
}

/** A call at this edge: Kamailio chooses, so this may take some. */
async function placeAt(edge: Role, place: () => ReturnType<typeof placeCalls>) {
  for (let tries = 1; tries <= LIMITS.callTries; tries++) {
    const calls = await place()
    const [leg] = calls.customers
    if (leg!.edge() === edge.host) return { calls, leg: leg!, tries }
    await calls.end()
  }
  throw new Error(`Kamailio sends no call to ${edge.name}`)
}

/** What is still open in the database some time after everybody has hung up. */
async function settled(stage: RunningBellhop, placed: number): Promise<string[]> {
  for (const since = performance.now(); ; await pause(PACE.lookMs)) {
    const { broken } = await callsOver.check({ stage, books: { calls: { placed } } })
    if (broken.length === 0 || performance.now() - since > LIMITS.settleMs) return broken
  }
}

const most = (list: number[]) => Math.max(0, ...list).toFixed(0)
