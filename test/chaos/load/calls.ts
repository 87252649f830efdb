import { setTimeout as pause } from 'node:timers/promises'

import type { Employee } from '../stage/furnish.ts'
import { activeCall, isDone } from './api.ts'
import type { Exchange, Manner, Phone } from './exchange.ts'
import type { Leg } from './leg.ts'
import { keepUp, type LoadParts } from './load.ts'

const PACE = { everyMs: 500 }
const LIMITS = {
  answerMs: 12_000,
  transferMs: 6_000,
  silenceMs: 5_000,
  lookMs: 250,
  hangUpMs: 2_000,
  endMs: 40_000,
}

export interface CallBook {
  placed: number
  /** Both heard each other. */
  talked: number
  transferred: number
  voicemails: number
  outbound: number
  /** A conversation that went silent or was cut off while nothing was done to its edges. */
  broken: string[]
}

/** Calls of all kinds, with sound, one after the other on each line. */
export function keepUpCalls({ stage, api, chance }: LoadParts, exchange: Exchange) {
  const book: CallBook = { placed: 0, talked: 0, transferred: 0, voicemails: 0, outbound: 0, broken: [] }
  const { desks, coworkers, lines, voicemail } = stage.company

  /** How long they talk is drawn; both must hear the other all the while, as long as their edges are well. */
  async function talk(what: string, one: Leg, other: Leg, ms: number): Promise<boolean> {
    const since = performance.now()
    const isExcused = () =>
      stage.roles.some(
        (role) =>
          [one.edge(), other.edge()].includes(role.host) && role.wasHurtSince(since - LIMITS.silenceMs),
      )
    let hasTalked = false
    while (performance.now() - since < ms || !hasTalked) {
      await pause(LIMITS.lookMs)
      const heardAt = Math.min(one.party.heardAt(other.party), other.party.heardAt(one.party))
      hasTalked ||= heardAt > since
      const isCut = one.isOver() || other.isOver()
      const isSilent = performance.now() - Math.max(heardAt, since) > LIMITS.silenceMs
      if (!isCut && !isSilent) continue
      // A process that has just died is noticed a moment later than its calls.
      await pause(LIMITS.lookMs * 4)
      if (!isExcused()) {
        const how = isCut ? `was cut off (${describe(one)}, ${describe(other)})` : 'went silent'
        book.broken.push(`${what} through ${one.edge()} and ${other.edge()} ${how}`)
      }
      return false
    }
    if (hasTalked) book.talked++
    return hasTalked
  }

  /** Somebody calls the line; resolves to both legs once the desk has taken the call. */
  async function reachDesk(line: number, manner: Manner) {
    const phone = exchange.phoneOf(desks[line]!)
    let caller = ''
    const rung = new Promise<Leg>((resolve) => {
      phone.onCall = (leg) => void (leg.number === caller && resolve(leg))
    })
    phone.manner = manner
    book.placed++
    const customer = await exchange.dial(lines[line]!.number)
    caller = customer.number
    const leg = await firstOf(LIMITS.answerMs, rung, customer.ended)
    return { customer, leg: leg ?? undefined }
  }

  const episodes = {
    async talks(line: number) {
      const { customer, leg } = await reachDesk(line, 'answers')
      if (leg) {
        await firstOf(LIMITS.answerMs, leg.up, leg.ended)
        if (!leg.isOver() && !customer.isOver())
          await talk('a call', customer, leg, chance.whole(1_500, 6_000))
      }
      await hangUp(chance.next() < 0.5 ? [customer, leg] : [leg, customer])
    },
    async givesUp(line: number) {
      const { customer, leg } = await reachDesk(line, 'rings')
      await pause(chance.whole(200, 1_500))
      await hangUp([customer, leg])
    },
    async isDeclined(line: number) {
      const phone = exchange.phoneOf(desks[line]!)
      phone.manner = 'declines'
      book.placed++
      const customer = await exchange.dial(lines[line]!.number)
      await firstOf(chance.whole(2_000, 4_000), customer.ended)
      await hangUp([customer])
    },
    async leavesVoicemail() {
      book.placed++
      const customer = await exchange.dial(voicemail.number)
      if (
        await firstOf(
          LIMITS.answerMs,
          customer.up.then(() => true),
          customer.ended,
        )
      ) {
        await pause(chance.whole(3_000, 7_000))
        book.voicemails++
      }
      await hangUp([customer])
    },
    async callsOut(line: number) {
      const phone = exchange.phoneOf(desks[line]!)
      book.placed++
      const own = await phone.dial(`+4522${String(book.placed % 1_000_000).padStart(6, '0')}`)
      await firstOf(LIMITS.answerMs, own.up, own.ended)
      const callee = [...exchange.outside].find(({ number }) => number === own.number)
      if (!own.isOver() && callee) {
        book.outbound++
        await talk('an outgoing call', own, callee, chance.whole(1_500, 4_000))
      }
      await hangUp([own])
    },
    async isTransferred(line: number) {
      const { customer, leg } = await reachDesk(line, 'answers')
      if (leg) {
        await firstOf(LIMITS.answerMs, leg.up, leg.ended)
        await transfer(desks[line]!, chance.pick(coworkers), customer)
      }
      const left = coworkers.flatMap((coworker) => [...exchange.phoneOf(coworker).legs])
      await hangUp([customer, leg, ...left])
    },
  }

  /** One transfer at a time: the coworkers are few. */
  let isTransferring = false
  async function transfer(from: Employee, to: Employee, customer: Leg): Promise<void> {
    if (isTransferring) return
    isTransferring = true
    try {
      const active = await activeCall(api, from.key)
      const id: string | undefined = active.is === 'answered' ? active.body?.call?.id : undefined
      if (!id) return
      const phone = exchange.phoneOf(to)
      const answered = new Promise<Leg>((resolve) => (phone.onCall = resolve))
      phone.manner = chance.next() < 0.8 ? 'answers' : 'rings'
      const begun = await api.ask(from.key, 'POST', `/calls/${id}/transfers`, { employee_id: to.id })
      if (!isDone(begun) || begun.is !== 'answered') return
      const leg = await firstOf(LIMITS.transferMs, answered, customer.ended)
      const path = `/calls/${id}/transfers/${begun.body.transfer.id}`
      await pause(chance.whole(0, 1_000))
      if (chance.next() < 0.3) return void (await api.ask(from.key, 'DELETE', path))
      if (!leg || !isDone(await api.ask(from.key, 'POST', `${path}/completion`))) return
      if (await talk('a transferred call', customer, leg, chance.whole(1_000, 3_000))) book.transferred++
    } finally {
      isTransferring = false
    }
  }

  const kinds = [
    'talks',
    'talks',
    'talks',
    'givesUp',
    'isDeclined',
    'leavesVoicemail',
    'callsOut',
    'isTransferred',
  ] as const
  const stops = lines.map((_, line) =>
    keepUp(PACE.everyMs, async () => {
      const phone = exchange.phoneOf(desks[line]!)
      await episodes[chance.pick(kinds)](line)
      await hangUp([...phone.legs])
      phone.manner = 'answers'
      phone.onCall = undefined
    }),
  )
  return {
    book,
    async stop() {
      await Promise.all(stops.map((stop) => stop()))
      const all = (phone: Phone) => [...phone.legs]
      await hangUp([...exchange.outside, ...[...exchange.phones.values()].flatMap(all)])
    },
  }
}

/** The first hangs up; whoever is not told of it in time does so too. */
async function hangUp(legs: (Leg | undefined)[]): Promise<void> {
  const there = legs.filter((leg) => leg !== undefined && !leg.isOver()) as Leg[]
  there[0]?.hangUp()
  await firstOf(LIMITS.hangUpMs, Promise.all(there.map((leg) => leg.ended)))
  for (const leg of there) leg.hangUp()
  await firstOf(LIMITS.endMs, Promise.all(there.map((leg) => leg.ended)))
}

/** Undefined when the time is over, or when one of those came first that bring nothing. */
async function firstOf<T>(ms: number, ...among: Promise<T | void>[]): Promise<T | undefined> {
  const late = new AbortController()
  const timeout = pause(ms, undefined, { signal: late.signal }).catch(() => {})
  try {
    return (await Promise.race([...among, timeout])) as T | undefined
  } finally {
    late.abort()
  }
}

const describe = (leg: Leg) => JSON.stringify(leg.ending() ?? 'still there')
