/**
 * Claim: calls that begin make no gap in those that run. A carrier calls 200 times in a second, several seconds long,
 * and then 500 times in one second: far more than two cores can answer, with PostgreSQL, the phones and the carrier on
 * the same machine. Meanwhile a bridged call has no gap of more than 60 ms: three packets, which phones conceal. The
 * ratio is that limit to the longest gap in either direction, until the last of the calls has ended. Beside it is
 * printed the longest gap of a call over a relay that only forwards datagrams, in the same time on the same machine: if
 * that is longer than 60 ms, other programs had both cores, and nothing can be said.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

import { withFixture } from '../fixture.ts'
import type { Bench, Finding } from '../measure.ts'
import type { Burst, BurstOutcome, CarrierOptions } from './burst.carrier.ts'
import type { Gaps } from './burst.meter.ts'
import { openPhoneSystem, type PhoneSystem, portOf } from './phone-system.ts'

const LINES = 40
const GAP_MS_MAX = 60
const ROUNDS = 3
const BURSTS: (Burst & { what: string })[] = [
  { what: 'while 200 calls a second begin', calls: 600, perSecond: 200 },
  { what: 'while 500 calls begin in a second', calls: 500, perSecond: 500 },
]

/** The carrier may not take both cores. */
const ON_ONE_CORE = [...(process.platform === 'linux' ? ['taskset', '-c', '0'] : []), process.execPath]

export const burst: Bench = {
  name: 'burst',
  run: () =>
    withFixture(async (fixture) => {
      const children: ChildProcess[] = []
      const start = (file: string, options: unknown, command: string[] = [process.execPath]) => {
        const [program, ...args] = [...command, join(import.meta.dirname, file), JSON.stringify(options)]
        const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
        children.push(child)
        return child
      }
      const system = await openPhoneSystem(fixture, { lines: LINES, recorded: false })
      const meter = start('burst.meter.js', {})
      const hangUp = await talk(system, meter, start)
      try {
        const options: CarrierOptions = { sipPort: system.sipPort, numbers: system.numbers }
        const carrier = start('burst.carrier.js', options, ON_ONE_CORE)
        await once(carrier, 'message')
        const findings: Finding[] = []
        for (const each of BURSTS) findings.push(await measure(each, meter, carrier))
        return findings
      } finally {
        hangUp()
        for (const child of children) child.kill('SIGTERM')
        await system.close()
      }
    }),
}

/** A call of the first number that is bridged and stays so, with the meter on both sides. Returns how to end it. */
export async function talk(
  system: Pick<PhoneSystem, 'dial' | 'onTaken'>,
  meter: ChildProcess,
  start: (file: string, options: unknown) => ChildProcess,
): Promise<() => void> {
  const [customer, phone, ...relayed] = (await ask(meter, 'ports')) as number[]
  const relay = start('bridged-calls.bare.js', relayed)
  const ports: number[] = []
  const taken = new Promise<void>((resolve) => {
    system.onTaken((line, call) => {
      // Nobody listens at the phones of other numbers.
      if (line !== 0) return 9
      ports[1] = portOf(call.body!)
      call.listen((event) => void (event.type === 'connected' && resolve()))
      return phone!
    })
  })
  const call = system.dial(0, customer!)
  call.listen((event) => {
    if (event.type === 'answered') ports[0] = portOf(event.body!)
  })
  await taken
  await ask(meter, { ports: [...ports, ...((await ask(relay, 'ports')) as number[])] })
  return () => call.hangUp()
}

async function measure(
  { what, calls, perSecond }: (typeof BURSTS)[number],
  meter: ChildProcess,
  carrier: ChildProcess,
): Promise<Finding> {
  const gapsMs: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await ask(meter, 'gaps')
    const outcome = (await ask(carrier, { calls, perSecond })) as BurstOutcome
    const { gapMs, lost } = (await ask(meter, 'gaps')) as Gaps
    gapsMs.push(gapMs[0])
    const { answered, answeredMs, refused, heard } = outcome
    const rest = Object.entries(refused).map(([why, count]) => `, ${count} ended by ${why}`)
    process.stdout.write(
      `${what}: the longest gap was ${gapMs[0].toFixed(0)} ms with ${lost[0]} packets lost, over a bare relay ` +
        `${gapMs[1].toFixed(0)} ms with ${lost[1]}; ${answered} of ${calls} answered in ` +
        `${(answeredMs / 1_000).toFixed(1)} s, with ${heard} packets of greetings${rest.join('')}\n`,
    )
  }
  const [best, middle, worst] = gapsMs.toSorted((a, b) => a - b) as [number, number, number]
  return {
    what: `the longest gap allowed in a running call to that heard ${what}`,
    sides: ['allowed:', 'heard:'],
    goal: 1,
    ratio: GAP_MS_MAX / middle,
    spread: [GAP_MS_MAX / worst, GAP_MS_MAX / best],
    first: GAP_MS_MAX,
    second: middle,
    rounds: ROUNDS,
  }
}

export async function ask(child: ChildProcess, question: unknown): Promise<unknown> {
  const answer = once(child, 'message')
  child.send(question as string)
  return (await answer)[0]
}
