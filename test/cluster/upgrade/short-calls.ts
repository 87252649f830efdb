import { setTimeout as pause } from 'node:timers/promises'

import type { RunningBellhop } from '../../chaos/environment/running-bellhop.ts'
import type { Carrier } from '../../chaos/load/carrier.ts'
import { firstOf, hangUp } from '../../chaos/load/conversation.ts'
import type { Leg } from '../../chaos/load/leg.ts'
import { keepUp } from '../../chaos/load/load.ts'
import type { Phones } from '../../chaos/load/phones.ts'

const PACE = { everyMs: 500, talkMs: 2_000, lookMs: 100 }
const LIMITS = { connectMs: 20_000, answerMs: 120_000, heardMs: 10_000 }

export interface ShortCalls {
  placed: number
  talked: number
  /** A sentence for each that was refused, cut off or silent. */
  broken: string[]
  /** Reached their phone through an edge that had to stop before they were over. */
  endedAtLimit: number
  /** Milliseconds from the INVITE to the answer of the edge, and to that of the employee. */
  connectMs: number[]
  answerMs: number[]
}

interface Parts {
  stage: RunningBellhop
  carrier: Carrier
  phones: Phones
  /** Indexes of lines, on each of which is one call after another. */
  lines: number[]
  /** Whether the edge with this address has been hanging up what it still had. */
  isAtLimit(edge: string | undefined): boolean
  /** Indexes of the edges to which the carrier sends calls. */
  edges(): number[]
}

/** Customers call, talk a moment, and hang up. The carrier tries another edge if one refuses, as carriers do. */
export function keepUpShortCalls({ stage, carrier, phones, lines, edges, isAtLimit }: Parts) {
  const { desks, lines: numbers } = stage.company
  const book: ShortCalls = { placed: 0, talked: 0, endedAtLimit: 0, broken: [], connectMs: [], answerMs: [] }

  async function call(line: number): Promise<void> {
    const phone = phones.of(desks[line]!)
    const rung = new Promise<Leg>((resolve) => (phone.onCall = resolve))
    const choice = edges()
    const edge = choice[book.placed++ % choice.length]!
    const name = `the new call ${book.placed}`
    const since = performance.now()
    const customer = await carrier.dial(numbers[line]!.number, edge)
    const isUp = await firstOf(
      LIMITS.connectMs,
      customer.up.then(() => true),
      customer.ended,
    )
    if (!isUp) return fail(`${name} was not accepted: ${endOf(customer)}`, [customer])
    book.connectMs.push(performance.now() - since)
    const employee = await firstOf(LIMITS.answerMs, rung, customer.ended)
    if (!employee) return fail(`${name} was not answered: ${endOf(customer)}`, [customer])
    book.answerMs.push(performance.now() - since)
    const answeredAt = performance.now()
    const isHeard = () =>
      Math.min(customer.party.heardAt(employee.party), employee.party.heardAt(customer.party)) > 0
    while (!isHeard() && performance.now() - answeredAt < LIMITS.heardMs) await pause(PACE.lookMs)
    if (!isHeard()) return fail(`${name} was silent`, [customer, employee])
    await firstOf(PACE.talkMs, customer.ended, employee.ended)
    const isCut = customer.isOver() || employee.isOver()
    if (isCut && isAtLimit(employee.edge())) {
      book.endedAtLimit++
      return hangUp([customer, employee])
    }
    if (isCut)
      return fail(`${name} was cut off: ${endOf(customer)}, ${endOf(employee)}`, [customer, employee])
    book.talked++
    await hangUp([customer, employee])
  }

  async function fail(sentence: string, legs: Leg[]): Promise<void> {
    book.broken.push(sentence)
    await hangUp(legs)
  }

  const stops = lines.map((line) => keepUp(PACE.everyMs, () => call(line)))
  return {
    book,
    async stop() {
      await Promise.all(stops.map((stop) => stop()))
    },
  }
}

const endOf = (leg: Leg) => JSON.stringify(leg.ending() ?? 'still there')
