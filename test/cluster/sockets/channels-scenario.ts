import { setTimeout as pause } from 'node:timers/promises'

import type { Role } from '../../chaos/environment/role.ts'
import { openLiveClients } from './live-clients.ts'
import {
  inParallel,
  memoryOfEach,
  type Part,
  quantile,
  residentKb,
  restart,
  secondsUntil,
  startProbes,
} from './measures.ts'
import { createReads } from './reads.ts'
import type { Person } from './seed.ts'

const BROADCASTS = { count: 100, ms: 10_000 }
/** What docs/operating/scale.md says. With few, the memory is mostly what the process allocates once. */
const PROMISES = { kb: 40, kbFrom: 2_000, broadcastP95Ms: 250, backSeconds: 180, requestP95Ms: 1_000 }

/** Thousands of dashboards at one API process, which is killed. */
export async function tryChannels({ api, people, tell, closes }: Part & { api: Role }): Promise<string[]> {
  const broken: string[] = []
  const reads = createReads(api)
  const received: number[] = []
  const clients = openLiveClients({
    url: `ws://${api.address}`,
    onMessage: () => received.push(performance.now()),
    onBack: reads.readAll,
  })
  closes.push(clients.close)
  const kb = await memoryOfEach(api, people.length, () => inParallel(people, clients.connect))
  tell(`${clients.subscribed()} live channels, ${kb.toFixed(1)} kB each`)
  if (people.length >= PROMISES.kbFrom && kb > PROMISES.kb)
    broken.push(`a live channel takes ${kb.toFixed(1)} kB`)

  const { p95, missing } = await broadcast(people, received, reads)
  tell(`a change reaches the whole company in ${p95.toFixed(0)} ms (p95, with the request that makes it)`)
  if (p95 > PROMISES.broadcastP95Ms) broken.push(`a change took ${p95.toFixed(0)} ms`)
  if (missing > 0) broken.push(`${missing} messages are missing`)

  await restart(api)
  tell('killed the API; the next process is ready')
  const since = performance.now()
  // On a connection of its own: it must not wait for the reads of this script.
  const bystander = createReads(api)
  const probes = startProbes(() => bystander.ask(people.at(-1)!, '/activity/unseen'))
  const seconds = await secondsUntil(() => clients.subscribed() === people.length)
  tell(`all are back after ${seconds.toFixed(1)} s; refused: ${JSON.stringify(clients.refused)}`)
  await reads.settled()
  const { p95: requestMs, max } = await probes.stop()
  const allSeconds = ((performance.now() - since) / 1_000).toFixed(1)
  tell(
    `all pages have read again after ${allSeconds} s: ${JSON.stringify(reads.counts)}; ` +
      `the API has ${(residentKb(api) / 1_000).toFixed(0)} MB`,
  )
  tell(`meanwhile a request took ${requestMs.toFixed(0)} ms (p95), at most ${max.toFixed(0)} ms`)
  const back = clients.subscribed()
  if (back < people.length) broken.push(`only ${back} of ${people.length} clients came back`)
  if (seconds > PROMISES.backSeconds) broken.push(`the last client was back after ${seconds.toFixed(0)} s`)
  if (requestMs > PROMISES.requestP95Ms) broken.push(`requests took ${requestMs.toFixed(0)} ms meanwhile`)
  const failed = [reads, bystander]
    .flatMap(({ counts }) => Object.entries(counts))
    .filter(([status]) => status !== '200')
  if (failed.length > 0) broken.push(`requests failed meanwhile: ${JSON.stringify(failed)}`)
  clients.close()
  return broken
}

/** Somebody changes their status, in one company after the other; all of their coworkers are told. */
async function broadcast(people: Person[], received: number[], reads: ReturnType<typeof createReads>) {
  const companies = new Map<number, Person[]>()
  for (const person of people)
    companies.set(person.company, [...(companies.get(person.company) ?? []), person])
  const delays: number[] = []
  let missing = 0
  for (let round = 0; round < BROADCASTS.count; round++) {
    const members = companies.get(round % companies.size)!
    const [person] = members
    // Only what changes is told.
    const enabled = Math.floor(round / companies.size) % 2 === 0
    received.length = 0
    const since = performance.now()
    const body = JSON.stringify({ enabled })
    await reads.ask(person!, `/employees/${person!.id}/do_not_disturb`, { method: 'PUT', body })
    while (received.length < members.length && performance.now() - since < BROADCASTS.ms) await pause(1)
    delays.push(...received.map((at) => at - since))
    missing += members.length - received.length
  }
  return { p95: quantile(delays, 0.95), missing }
}
