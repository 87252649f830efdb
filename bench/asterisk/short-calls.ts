/** Calls that end as soon as the caller hears the employee, and how long each of their steps took. */
import { setTimeout as pause } from 'node:timers/promises'

import type { IncomingCall, OutgoingCall } from '../../server/sip/index.ts'
import { startParties } from '../calls/parties.ts'
import { portOf } from '../calls/phone-system.ts'
import type { Pbx } from './pbx.ts'
import { machineCpuMs } from './processes.ts'

/** After the last call of a turn, what it left to be written still counts. */
const SETTLE_MS = 1_000
/** The callers of a turn begin within this time, not all at once. */
const SPREAD_MS = 800
const LIMITS = { callMs: 60_000 }

/** When each step of a call was seen. */
export interface CallTimes {
  invite: number
  answered?: number
  firstSound?: number
  phoneRang?: number
  heard?: number
}

export async function openShortCalls(pbx: Pbx, lines: number[], frameMs?: number) {
  const running: CallTimes[] = []
  const parties = await startParties(lines.length, {
    ...(frameMs && { frameMs }),
    onGreeting: (place) => running[place] && (running[place].firstSound ??= performance.now()),
  })
  const placeOf = new Map(lines.map((line, place) => [line, place]))
  const taken: ((call: IncomingCall) => void)[] = []
  pbx.onTaken((line, call) => {
    const place = placeOf.get(line)!
    taken[place]!(call)
    return parties.ports[place]!.phone
  })
  return {
    /** One call on the line at this place of the list; resolves when everybody has hung up. */
    async call(place: number): Promise<CallTimes> {
      const times: CallTimes = (running[place] = { invite: performance.now() })
      const phone = new Promise<IncomingCall>((resolve) => (taken[place] = resolve))
      const customer = pbx.dial(lines[place]!, parties.ports[place]!.customer)
      const customerEnds = ended(customer, () => (times.answered ??= performance.now()))
      const timeout = setTimeout(() => {
        throw new Error(`a call of line ${lines[place]} at ${pbx.name} did not come about`)
      }, LIMITS.callMs)
      const callee = await phone
      times.phoneRang = performance.now()
      const calleeEnds = ended(callee)
      await parties.heard(place, portOf(callee.body!))
      times.heard = performance.now()
      customer.hangUp()
      await Promise.all([customerEnds, calleeEnds])
      clearTimeout(timeout)
      return times
    },
    close: () => parties.close(),
  }
}

const ended = (call: IncomingCall | OutgoingCall, onAnswered?: () => void) =>
  new Promise<void>((resolve) => {
    call.listen((event) => {
      if (event.type === 'answered') onAnswered?.()
      if (event.type === 'ended') resolve()
    })
  })

/** What the calls of one turn cost. */
export interface Turn {
  calls: number
  perSecond: number
  ownMsPerCall: number
  postgresMsPerCall: number
  generatorMsPerCall: number
  /** Cores that other programs used meanwhile. */
  otherCores: number
}

/** One call after the other on each line, for about this time or this many calls. */
export async function callInTurn(
  pbx: Pbx,
  lines: number[],
  { ms = Infinity, calls: callsMax = Infinity }: { ms?: number; calls?: number },
): Promise<Turn> {
  const short = await openShortCalls(pbx, lines)
  const cost = startCost(pbx)
  const start = performance.now()
  let calls = 0
  const keepCalling = async (place: number) => {
    await pause((place / lines.length) * SPREAD_MS)
    for (; performance.now() - start < ms && calls < callsMax; calls++) await short.call(place)
  }
  await Promise.all(lines.map((_, place) => keepCalling(place)))
  const elapsedMs = performance.now() - start
  await pause(SETTLE_MS)
  short.close()
  return { perSecond: round((calls / elapsedMs) * 1_000), ...cost(calls) }
}

/** Begins to count CPU time; the function that is returned divides it by the calls that there were. */
export function startCost(pbx: Pbx): (calls: number) => Omit<Turn, 'perSecond'> {
  const before = pbx.cpuMs()
  const machineBefore = machineCpuMs()
  const generatorBefore = process.cpuUsage()
  const start = performance.now()
  return (calls) => {
    const after = pbx.cpuMs()
    const own = after.own - before.own
    const postgres = after.postgres - before.postgres
    const used = process.cpuUsage(generatorBefore)
    const generator = (used.user + used.system) / 1_000
    const others = machineCpuMs() - machineBefore - own - postgres - generator
    return {
      calls,
      ownMsPerCall: round(own / calls),
      postgresMsPerCall: round(postgres / calls),
      generatorMsPerCall: round(generator / calls),
      otherCores: round(others / (performance.now() - start)),
    }
  }
}

export const round = (value: number) => Math.round(value * 100) / 100
