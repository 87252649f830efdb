/**
 * Aim: calls of a carrier pass through the whole service, one after the other on each of many numbers: greeting, queue,
 * answer, bridge until the caller hears the employee, and hang-up. Measured is the number of calls that a core could
 * handle in a second, by the CPU time of the service, without PostgreSQL, which runs on the same two cores as the load
 * generator; the calls per second and the CPU time of PostgreSQL are printed beside it. The reference is the same
 * sequence of messages with the SIP and media libraries alone: no greeting, no call flow, no database, no events. The goal
 * is a floor rather than a claim, just below what was reached (0.20 and 0.22), so that a loss of speed is noticed.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

import type { IncomingCall, OutgoingCall } from '../../server/sip/index.ts'
import { withFixture } from '../fixture.ts'
import { type Bench, compare, type Contender } from '../measure.ts'
import { type Parties, startParties } from './parties.ts'
import {
  CARRIER_HOST,
  dialFrom,
  lineOf,
  lineTo,
  nowhere,
  openAgent,
  openPhoneSystem,
  portOf,
  sdpAt,
  TRUNK,
} from './phone-system.ts'

/** A greeting takes time, so it needs many numbers to keep a core busy; without one a few do. */
const LINES = { ours: 40, bare: 8 }
const TIMING = { warmUpMs: 3_000, roundMs: 3_000, rounds: 5 }
const LIMITS = { callMs: 30_000 }

/** The target of the calls: how a number is dialled, and who is notified when its phone has answered. */
interface CallTarget {
  dial(line: number, port: number): OutgoingCall
  onTaken(listener: (line: number, call: IncomingCall) => number): void
  cpuMs(): Promise<number>
  databaseCpuMs?(): Promise<number | undefined>
}

/** What each round measured. */
interface Rounds {
  perSecond: number[]
  ownMs: number[]
  databaseMs: number[]
}

export const inbound: Bench = {
  name: 'inbound',
  run: () =>
    withFixture(async (fixture) => {
      const closes: (() => Promise<void> | void)[] = []
      const rounds = { ours: newRounds(), bare: newRounds() }
      try {
        const system = await openPhoneSystem(fixture, { lines: LINES.ours, recorded: false })
        closes.push(() => system.close())
        const bare = await openBareTarget(closes)
        const ours = await contender(system, LINES.ours, rounds.ours, closes)
        const other = await contender(bare, LINES.bare, rounds.bare, closes)
        const comparison = await compare(ours, other, TIMING)
        const [first, second] = [rounds.ours, rounds.bare].map((each) => Math.round(middle(each.perSecond)))
        const ms = (values: number[]) => middle(values)?.toFixed(1) ?? 'unknown'
        process.stdout.write(
          `calls that came about in a second: Bellhop ${first}, libraries alone ${second}\n` +
            `CPU time of a call in ms: Bellhop ${ms(rounds.ours.ownMs)}, PostgreSQL ${ms(rounds.ours.databaseMs)}\n`,
        )
        return [
          {
            what: 'inbound calls a core takes through in a second',
            sides: ['Bellhop:', 'libraries alone:'],
            goal: 0.17,
            ...comparison,
          },
        ]
      } finally {
        for (const close of closes.toReversed()) await close()
      }
    }),
}

async function contender(
  target: CallTarget,
  lines: number,
  rounds: Rounds,
  closes: (() => void)[],
): Promise<Contender> {
  const parties = await startParties(lines)
  closes.push(() => parties.close())
  const call = caller(target, parties)
  return async (ms) => {
    const cpuBefore = await target.cpuMs()
    const databaseBefore = await target.databaseCpuMs?.()
    const start = performance.now()
    let calls = 0
    const keepCalling = async (line: number) => {
      for (; performance.now() - start < ms; calls++) await call(line)
    }
    await Promise.all(Array.from({ length: lines }, (_, line) => keepCalling(line)))
    rounds.perSecond.push((calls / (performance.now() - start)) * 1_000)
    const ownMs = ((await target.cpuMs()) - cpuBefore) / calls
    rounds.ownMs.push(ownMs)
    const databaseAfter = await target.databaseCpuMs?.()
    if (databaseBefore !== undefined && databaseAfter !== undefined)
      rounds.databaseMs.push((databaseAfter - databaseBefore) / calls)
    return 1_000 / ownMs
  }
}

/** Makes one call to a number, and resolves when everybody has hung up. */
function caller(target: CallTarget, parties: Parties): (line: number) => Promise<void> {
  const taken: ((call: IncomingCall) => void)[] = []
  target.onTaken((line, call) => {
    taken[line]!(call)
    return parties.ports[line]!.phone
  })
  return async (line) => {
    const phone = new Promise<IncomingCall>((resolve) => (taken[line] = resolve))
    const customer = target.dial(line, parties.ports[line]!.customer)
    const timeout = setTimeout(() => {
      throw new Error(`a call of line ${line} did not come about`)
    }, LIMITS.callMs)
    const callee = await phone
    const ends = Promise.all([ended(customer), ended(callee)])
    await parties.heard(line, portOf(callee.body!))
    customer.hangUp()
    await ends
    clearTimeout(timeout)
  }
}

const ended = (call: IncomingCall | OutgoingCall) =>
  new Promise<void>((resolve) => {
    call.listen((event) => void (event.type === 'ended' && resolve()))
  })

/** The libraries alone; with `tone`, a caller hears one until the phone answers. */
export async function openBareTarget(
  closes: (() => Promise<void> | void)[],
  options: 'tone'[] = [],
): Promise<CallTarget> {
  let taken: (line: number, call: IncomingCall) => number = nowhere
  const phones = await openAgent('127.0.0.1', [lineTo(TRUNK, 0)], (call) => {
    call.accept(sdpAt(taken(lineOf(call), call)))
  })
  const file = join(import.meta.dirname, 'inbound.bare.js')
  const child = spawn(process.execPath, [file, String(phones.port), ...options], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const carrier = await openAgent(CARRIER_HOST, [lineTo(TRUNK, await ask(child, 'port'))], (call) =>
    call.reject(404),
  )
  closes.push(async () => {
    await phones.agent.close()
    await carrier.agent.close()
    child.kill('SIGTERM')
  })
  return {
    dial: (line, port) => dialFrom(carrier.agent, line, { number: '+4531000000', port }),
    onTaken(listener) {
      taken = listener
    },
    cpuMs: () => ask(child, 'cpu'),
  }
}

async function ask(child: ChildProcess, question: string): Promise<number> {
  const answer = once(child, 'message')
  child.send(question)
  return (await answer)[0] as number
}

const newRounds = (): Rounds => ({ perSecond: [], ownMs: [], databaseMs: [] })

const middle = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
