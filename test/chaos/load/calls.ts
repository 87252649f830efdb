import { setTimeout as pause } from 'node:timers/promises'

import type { SeededEmployee } from '../environment/seed-company.ts'
import { activeCall, completeTransfer, isDone } from './api.ts'
import type { Carrier } from './carrier.ts'
import { firstOf, hangUp, holdConversation } from './conversation.ts'
import type { Leg } from './leg.ts'
import { keepUp, type LoadParts } from './load.ts'
import type { Phones } from './phones.ts'
import type { AnswerMode } from './sip-agent.ts'

const PACE = { everyMs: 500 }
const LIMITS = { answerMs: 12_000, transferMs: 6_000 }

export interface CallBook {
  placed: number
  /** Both heard each other. */
  talked: number
  transferred: number
  voicemails: number
  outbound: number
  /** A conversation that went silent or ended while nothing was done to its edges. */
  broken: string[]
}

interface CallParts extends LoadParts {
  carrier: Carrier
  phones: Phones
}

/** Calls of all kinds, with audio, one after the other on each number. */
export function keepUpCalls({ carrier, phones, ...parts }: CallParts) {
  const { chance, stage } = parts
  const book: CallBook = { placed: 0, talked: 0, transferred: 0, voicemails: 0, outbound: 0, broken: [] }
  const { desks, coworkers, lines, voicemail } = stage.company
  const keep = { stage, book }
  const phoneAt = (line: number) => phones.of(desks[line]!)
  const transfer = transferrer({ ...parts, carrier, phones }, book)

  /** A customer calls the number, whose employee handles it in this way. */
  async function reachDesk(
    line: number,
    manner: AnswerMode,
  ): Promise<{ customer: Leg; leg: Leg | undefined }> {
    const phone = phoneAt(line)
    let caller = ''
    const rung = new Promise<Leg>((resolve) => {
      phone.onCall = (leg) => void (leg.number === caller && resolve(leg))
    })
    phone.manner = manner
    book.placed++
    const customer = await carrier.dial(lines[line]!.number)
    caller = customer.number
    const leg = await firstOf(LIMITS.answerMs, rung, customer.ended)
    if (leg && manner === 'answers') await firstOf(LIMITS.answerMs, leg.up, leg.ended)
    return { customer, leg }
  }

  const episodes = {
    async talks(line: number) {
      const { customer, leg } = await reachDesk(line, 'answers')
      if (leg && !leg.isOver() && !customer.isOver())
        await holdConversation(keep, 'a call', [customer, leg], chance.whole(1_500, 6_000))
      await hangUp(chance.next() < 0.5 ? [customer, leg] : [leg, customer])
    },
    async givesUp(line: number) {
      const { customer, leg } = await reachDesk(line, 'rings')
      await pause(chance.whole(200, 1_500))
      await hangUp([customer, leg])
    },
    async isDeclined(line: number) {
      phoneAt(line).manner = 'declines'
      book.placed++
      const customer = await carrier.dial(lines[line]!.number)
      await firstOf(chance.whole(2_000, 4_000), customer.ended)
      await hangUp([customer])
    },
    async leavesVoicemail() {
      book.placed++
      const customer = await carrier.dial(voicemail.number)
      const isTaken = customer.up.then(() => true)
      if (await firstOf(LIMITS.answerMs, isTaken, customer.ended)) {
        await pause(chance.whole(3_000, 7_000))
        book.voicemails++
      }
      await hangUp([customer])
    },
    async callsOut(line: number) {
      book.placed++
      const own = await phoneAt(line).dial(`+452011${String(book.placed % 10_000).padStart(4, '0')}`)
      await firstOf(LIMITS.answerMs, own.up, own.ended)
      const callee = [...carrier.legs].find(({ number }) => number === own.number)
      if (!own.isOver() && callee) {
        book.outbound++
        await holdConversation(keep, 'an outgoing call', [own, callee], chance.whole(1_500, 4_000))
      }
      await hangUp([own, callee])
    },
    async isTransferred(line: number) {
      const { customer, leg } = await reachDesk(line, 'answers')
      const taken = leg && (await transfer(desks[line]!, chance.pick(coworkers), customer))
      await hangUp([customer, leg, taken])
    },
  }
  const kinds = Object.keys(episodes) as (keyof typeof episodes)[]
  const mostly = [...kinds, 'talks', 'talks'] as const

  const stops = lines.map((_, line) =>
    keepUp(PACE.everyMs, async () => {
      const phone = phoneAt(line)
      await episodes[chance.pick(mostly)](line)
      await hangUp([...phone.legs])
      phone.manner = 'answers'
      phone.onCall = undefined
    }),
  )
  return {
    book,
    async stop() {
      await Promise.all(stops.map((stop) => stop()))
      const left = [carrier.legs, ...phones.all.map(({ legs }) => legs)]
      await hangUp(left.flatMap((legs) => Array.from(legs)))
    },
  }
}

/** Transfers a call to a coworker: completed, cancelled, or ended by somebody who hangs up. One at a time. */
function transferrer({ stage, api, chance, phones }: CallParts, book: CallBook) {
  let isBusy = false

  async function run(from: SeededEmployee, to: SeededEmployee, customer: Leg): Promise<Leg | undefined> {
    const active = await activeCall(api, from.key)
    const id: string | undefined = active.is === 'answered' ? active.body?.call?.id : undefined
    if (!id) return undefined
    const phone = phones.of(to)
    const answered = new Promise<Leg>((resolve) => (phone.onCall = resolve))
    phone.manner = chance.next() < 0.8 ? 'answers' : 'rings'
    const begun = await api.ask(from.key, 'POST', `/calls/${id}/transfers`, { employee_id: to.id })
    if (begun.is !== 'answered' || begun.status !== 201) return undefined
    const leg = await firstOf(LIMITS.transferMs, answered, customer.ended)
    const path = `/calls/${id}/transfers/${begun.body.transfer.id}`
    await pause(chance.whole(0, 1_000))
    if (chance.next() < 0.3) {
      await api.ask(from.key, 'DELETE', path)
      return leg
    }
    const isCompleted = leg && isDone(await completeTransfer(api, from.key, path))
    if (
      isCompleted &&
      (await holdConversation(
        { stage, book },
        'a transferred call',
        [customer, leg],
        chance.whole(1_000, 3_000),
      ))
    )
      book.transferred++
    return leg
  }

  return async (from: SeededEmployee, to: SeededEmployee, customer: Leg) => {
    if (isBusy) return undefined
    isBusy = true
    return run(from, to, customer).finally(() => (isBusy = false))
  }
}
