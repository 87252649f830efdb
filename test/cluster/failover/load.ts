import { setTimeout as pause } from 'node:timers/promises'

import type { Role } from '../../chaos/environment/role.ts'
import type { RunningBellhop } from '../../chaos/environment/running-bellhop.ts'
import { type Api, isDone } from '../../chaos/load/api.ts'
import type { Carrier } from '../../chaos/load/carrier.ts'
import { firstOf, hangUp } from '../../chaos/load/conversation.ts'
import type { Leg } from '../../chaos/load/leg.ts'
import type { Phones } from '../../chaos/load/phones.ts'

const LIMITS = { callMs: 30_000, callsAtOnce: 4, lookMs: 100, silenceMs: 5_000, writesAtOnce: 400 }

interface Conversation {
  legs: [customer: Leg, employee: Leg]
  /** The longest time in which one did not hear the other. */
  silenceMs: number
}

/** One call on each number of the company, all at the same time, in which both sides talk. */
export async function placeCalls(stage: RunningBellhop, carrier: Carrier, phones: Phones) {
  const { desks, lines } = stage.company
  const conversations: Conversation[] = []
  const waiting = lines.map((_, index) => index)

  async function call(index: number): Promise<void> {
    const phone = phones.of(desks[index]!)
    const rung = new Promise<Leg>((resolve) => (phone.onCall = resolve))
    const customer = await carrier.dial(lines[index]!.number, index % 2)
    const employee = await firstOf(LIMITS.callMs, rung, customer.ended)
    if (!employee) throw new Error(`call ${index + 1} was not answered: ${JSON.stringify(customer.ending())}`)
    const isHeard = () =>
      customer.party.heardAt(employee.party) > 0 && employee.party.heardAt(customer.party) > 0
    for (const since = performance.now(); !isHeard(); await pause(LIMITS.lookMs))
      if (performance.now() - since > LIMITS.callMs) throw new Error(`call ${index + 1} is silent`)
    conversations.push({ legs: [customer, employee], silenceMs: 0 })
  }
  async function callNext(): Promise<void> {
    for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) await call(index)
  }
  await Promise.all(Array.from({ length: LIMITS.callsAtOnce }, callNext))

  let lookedAt = performance.now()
  let stallMs = 0
  let isAwake = false
  const timer = setInterval(() => {
    const sinceMs = performance.now() - lookedAt
    lookedAt += sinceMs
    stallMs = Math.max(stallMs, sinceMs - LIMITS.lookMs)
    // On a busy machine this process may stand still, and then has not yet heard what was said meanwhile.
    const wasAwake = isAwake
    isAwake = sinceMs < LIMITS.lookMs * 5
    if (!isAwake || !wasAwake) return
    for (const conversation of conversations) {
      const [{ party: one }, { party: other }] = conversation.legs
      const silenceMs = performance.now() - Math.min(one.heardAt(other), other.heardAt(one))
      conversation.silenceMs = Math.max(conversation.silenceMs, silenceMs)
    }
  }, LIMITS.lookMs)
  return {
    count: conversations.length,
    customers: conversations.map(({ legs: [customer] }) => customer),
    /** The longest time in which this process itself stood still. */
    stallMs: () => stallMs,
    longestSilenceMs: () => Math.max(...conversations.map(({ silenceMs }) => silenceMs)),
    /** A sentence for each that was cut off or went silent. */
    broken: () =>
      conversations.flatMap(({ legs, silenceMs }, index) => {
        const over = legs.find((leg) => leg.isOver())
        if (over) return [`call ${index + 1} was cut off: ${JSON.stringify(over.ending())}`]
        return silenceMs > LIMITS.silenceMs
          ? [`call ${index + 1} was silent for ${silenceMs.toFixed(0)} ms`]
          : []
      }),
    async end() {
      clearInterval(timer)
      await Promise.all(conversations.map(({ legs }) => hangUp(legs)))
    },
  }
}

export interface Writes {
  /** The phones of contacts whose creation was answered with 2xx. */
  acknowledged: Set<string>
  /** Without a response, or refused because the database was away: stored completely, or not at all. */
  unanswered: Set<string>
  /** Other refusals. */
  unexpected: string[]
  /** Acknowledged a second, from this time (of `performance.now()`) until now. */
  rateSince(ms: number): number
  /** When each API process acknowledged its first write after this time. */
  firstAfter(ms: number): (number | undefined)[]
  stop(): Promise<void>
}

/** Creates contacts at this rate, however long each takes, at all API processes in turn. */
export function startWrites(stage: RunningBellhop, api: Api, perSecond: number): Writes {
  const { key } = stage.company.absent
  const roles = stage.rolesOf('api')
  const acknowledged = new Set<string>()
  const unanswered = new Set<string>()
  const unexpected: string[] = []
  const times = new Map<Role, number[]>()
  const running = new Set<Promise<void>>()
  const since = performance.now()
  let serial = 0

  async function write(number: number): Promise<void> {
    const phone = `+45${40_000_000 + number}`
    const role = roles[number % roles.length]!
    const outcome = await api.ask(key, 'POST', '/contacts', { phone, name: `Contact ${number}` }, role)
    if (isDone(outcome)) {
      const known = times.get(role) ?? []
      times.set(role, known)
      known.push(performance.now())
      acknowledged.add(phone)
    } else if (outcome.is === 'unknown') unanswered.add(phone)
    else unexpected.push(`${phone}: ${outcome.status} ${JSON.stringify(outcome.body)}`)
  }
  const timer = setInterval(() => {
    const due = ((performance.now() - since) * perSecond) / 1_000
    for (; serial < due; serial++) {
      if (running.size >= LIMITS.writesAtOnce) continue
      const one = write(serial).finally(() => running.delete(one))
      running.add(one)
    }
  }, 10)
  return {
    acknowledged,
    unanswered,
    unexpected,
    rateSince(ms) {
      const seconds = (performance.now() - ms) / 1_000
      return [...times.values()].flat().filter((time) => time > ms).length / seconds
    },
    firstAfter: (ms) => roles.map((role) => times.get(role)?.find((time) => time > ms)),
    async stop() {
      clearInterval(timer)
      await Promise.all(running)
    },
  }
}
